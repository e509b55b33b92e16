import { applyEvents, comparable } from '#testing';
import { basic, exchange, expectRefusal, messageOf } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

/** Who sees the real e-mail address of a user (`email_address_visibility`; rules.md §3, "API e-mail"). */

const [EVERYONE, MEMBERS, ADMINISTRATORS, NOBODY, MODERATORS] = [1, 2, 3, 4, 5];
const MODERN = { client_capabilities: { user_settings_object: true } };

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let mona: ApiClient;
let gus: ApiClient;
let channel: number;
/** What stands for the address of Ann. */
let dummy: string;

beforeAll(async () => {
  ({ server, owner, ann, ben } = await startWithPeople());
  [mona, gus] = [await server.user('Mona Moder'), await server.user('Gus Guest')];
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  await owner.ok('PATCH', `/users/${mona.userId}`, { role: 300 });
  await owner.ok('PATCH', `/users/${gus.userId}`, { role: 600 });
  channel = await channelOf('general chat', ann, ben, gus, mona, owner);
  const { realm_bot_domain } = (await ann.register()).state;
  dummy = `user${ann.userId}@${realm_bot_domain}`;
});
afterAll(() => server.stop());

const show = (visibility: number, client = ann): Promise<unknown> =>
  client.ok('PATCH', '/settings', { email_address_visibility: visibility });
const seen = async (viewer: ApiClient, userId = ann.userId): Promise<any> =>
  (await viewer.ok('GET', `/users/${userId}`, { client_gravatar: true })).user;
const told = async (queue: TestQueue): Promise<any[]> =>
  (await queue.pending()).map(({ id: _, type: __, op: ___, person, ...event }) => person ?? event);
const registered = async (viewer: ApiClient, parameters = {}): Promise<any> => {
  const { state } = await viewer.register({ fetch_event_types: ['realm_user'], ...parameters });
  return state;
};
const inRegister = (state: any, userId = ann.userId): any =>
  state.realm_users.find(({ user_id }: any) => user_id === userId);

test.each([
  [EVERYONE, ['owner', 'mona', 'ben', 'gus', 'ann']],
  [MEMBERS, ['owner', 'mona', 'ben', 'ann']],
  [MODERATORS, ['owner', 'mona', 'ann']],
  [ADMINISTRATORS, ['owner', 'ann']],
  [NOBODY, ['ann']],
])('%d shows the address to these alone, on every route', async (visibility, those) => {
  await show(visibility);
  const email = visibility === EVERYONE ? ann.email : dummy;
  for (const [name, viewer] of Object.entries({ owner, mona, ben, gus, ann })) {
    const isShown = those.includes(name);
    const expected = { user_id: ann.userId, email, delivery_email: isShown ? ann.email : null };
    const { members } = await viewer.ok('GET', '/users');
    const states = [await registered(viewer), await registered(viewer, { client_gravatar: false })];
    const listed = members.find(({ user_id }: any) => user_id === ann.userId);
    for (const user of [await seen(viewer), listed, ...states.map((state) => inRegister(state))])
      expect([name, user]).toEqual([name, expect.objectContaining(expected)]);
    // Clients compute the picture from the e-mail address, where everyone knows it.
    const drawn = expect.stringMatching(/^\/user_avatars\//);
    const computed = visibility === EVERYONE ? null : drawn;
    expect(states.map((state) => inRegister(state).avatar_url)).toEqual([computed, drawn]);
    expect((await seen(viewer)).avatar_url).toEqual(computed);
    // By the address that everyone knows, and by the real one for those who may know it.
    expect((await viewer.ok('GET', `/users/${email}`)).user.user_id).toBe(ann.userId);
    const real = await viewer.call('GET', `/users/${ann.email.toUpperCase()}`);
    if (isShown) expect(real.body.user.user_id).toBe(ann.userId);
    else expect(real.text).toBe((await viewer.call('GET', '/users/nobody@example.test')).text);
  }
  const own = await registered(ann, MODERN);
  expect(own).toMatchObject({ email, delivery_email: ann.email });
  const { user_settings } = (await ann.register({ ...MODERN, fetch_event_types: ['user_settings'] })).state;
  expect(user_settings.email_address_visibility).toBe(visibility);
  expect(await ann.ok('GET', '/users/me')).toMatchObject({ email, delivery_email: ann.email });
});

test('the value is one of five, and bots keep theirs', async () => {
  for (const value of [0, 6, 'nobody'])
    expect((await ann.call('PATCH', '/settings', { email_address_visibility: value })).status).toBe(400);
  await ann.ok('POST', '/bots', { full_name: 'Robo Bot', short_name: 'robo' });
  const { bots } = await ann.ok('GET', '/bots');
  const answer = await exchange(`${server.url}/api/v1/settings`, {
    method: 'PATCH',
    headers: { authorization: basic(bots[0].username, bots[0].api_key) },
    body: new URLSearchParams({ email_address_visibility: '3' }),
  });
  expectRefusal(answer, 'BAD_REQUEST');
});

describe('a change', () => {
  test('is told to those who gain or lose the address, and to its owner as a setting', async () => {
    await show(EVERYONE);
    const types = { event_types: ['realm_user', 'user_settings'] };
    const queues = { owner, mona, ben, gus, ann };
    const listening: Record<string, TestQueue> = {};
    for (const [name, client] of Object.entries(queues)) listening[name] = await client.register(types);
    const heard = async (): Promise<Record<string, any[]>> => {
      const all: Record<string, any[]> = {};
      for (const [name, queue] of Object.entries(listening)) all[name] = await told(queue);
      return all;
    };
    const user_id = ann.userId;
    const renamed = (new_email: string) => [
      { user_id, new_email },
      expect.objectContaining({ user_id, avatar_source: 'G', avatar_version: 1 }),
    ];
    const setting = (value: number) => ({ property: 'email_address_visibility', value });
    const gained = { user_id, delivery_email: ann.email };
    const lost = { user_id, delivery_email: null };
    await show(MODERATORS);
    expect(await heard()).toEqual({
      owner: renamed(dummy),
      mona: renamed(dummy),
      ben: [lost, ...renamed(dummy)],
      gus: [lost, ...renamed(dummy)],
      ann: [setting(MODERATORS), ...renamed(dummy)],
    });
    await show(ADMINISTRATORS);
    expect(await heard()).toEqual({ owner: [], mona: [lost], ben: [], gus: [], ann: [setting(ADMINISTRATORS)] });
    await show(MEMBERS);
    expect(await heard()).toEqual({ owner: [], mona: [gained], ben: [gained], gus: [], ann: [setting(MEMBERS)] });
    await show(EVERYONE);
    expect(await heard()).toEqual({
      owner: renamed(ann.email),
      mona: renamed(ann.email),
      ben: renamed(ann.email),
      gus: [gained, ...renamed(ann.email)],
      ann: [setting(EVERYONE), ...renamed(ann.email)],
    });
    await show(EVERYONE);
    expect(Object.values(await heard()).flat()).toEqual([]);
  });

  test('that is told late names no address that is hidden by then', async () => {
    await show(EVERYONE);
    const [late, ownersQueue] = [await ben.register(), await owner.register()];
    const new_email = 'ann.new@example.test';
    await owner.ok('PATCH', `/users/${ann.userId}`, { new_email });
    const former = ann.email;
    ann = Object.assign(Object.create(ann), { email: new_email });
    await show(ADMINISTRATORS);
    await owner.ok('PATCH', `/users/${ann.userId}`, { new_email: former });
    ann = Object.assign(Object.create(ann), { email: former });
    const events = JSON.stringify(await late.pending());
    expect(events).toContain(dummy);
    expect(events).not.toContain('ann.new');
    expect(events).not.toContain(former);
    // Those who see it are told what it is; what everyone knows stays.
    const persons = await told(ownersQueue);
    expect(persons.at(-1)).toEqual({ user_id: ann.userId, delivery_email: former });
    expect(JSON.stringify(persons)).not.toContain(`"new_email":"${former}"`);
  });

  test('of a role shows and hides the addresses of others', async () => {
    await show(ADMINISTRATORS);
    const vera = await server.user('Vera Voss');
    const queue = await vera.register({ event_types: ['realm_user'] });
    const state = await registered(vera);
    await owner.ok('PATCH', `/users/${vera.userId}`, { role: 200 });
    const raised = await queue.pending();
    expect(raised.map(({ person }) => person)).toContainEqual({ user_id: ann.userId, delivery_email: ann.email });
    await owner.ok('PATCH', `/users/${vera.userId}`, { role: 400 });
    const lowered = await queue.pending();
    expect(lowered.map(({ person }) => person)).toContainEqual({ user_id: ann.userId, delivery_email: null });
    const later = applyEvents(state, [...raised, ...lowered]);
    expect(comparable(later).realm_users).toEqual(comparable(await registered(vera)).realm_users);
  });
});

describe('the hidden address', () => {
  beforeAll(() => show(NOBODY));

  test('is in no message, typing notice, reaction, presence or refusal', async () => {
    const sentTo = async (client: ApiClient): Promise<TestQueue> =>
      client.register({ client_capabilities: { stream_typing_notifications: true }, slim_presence: false });
    const queue = await sentTo(ben);
    const id = await ann.send(channel, 'topic', 'hello');
    const direct = await ann.sendTo([ben], 'hello');
    await ann.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    await ann.ok('POST', '/typing', { op: 'start', type: 'direct', to: [ben.userId] });
    await ann.ok('POST', '/typing', { op: 'start', type: 'stream', stream_id: channel, topic: 'topic' });
    await ann.ok('POST', '/users/me/presence', { status: 'active' });
    await ann.ok('PATCH', '/settings', { timezone: 'Asia/Tokyo' });
    const events: any[] = [];
    // What is not in the log comes by itself.
    for (let some = await queue.pending(); some.length > 0; some = await queue.pending()) events.push(...some);
    const kinds = events.map(({ type }) => type);
    expect(kinds).toEqual(expect.arrayContaining(['message', 'presence', 'reaction', 'realm_user', 'typing']));
    const { state } = await ben.register();
    const { messages } = await ben.ok('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 });
    const { presences } = await ben.ok('GET', '/realm/presence');
    for (const text of [events, state, messages, presences].map((one) => JSON.stringify(one))) {
      expect(text).not.toContain(ann.email);
      expect(text).toContain(dummy);
    }
    expect(await messageOf(ben, id)).toMatchObject({ sender_email: dummy, avatar_url: expect.any(String) });
    const { display_recipient } = await messageOf(ben, direct);
    expect(display_recipient).toContainEqual(expect.objectContaining({ id: ann.userId, email: dummy }));
  });

  test('finds nobody, and what stands for it does', async () => {
    const sender = (operand: string) => ({
      narrow: [{ operator: 'sender', operand }],
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
    });
    const direct = (to: string) => ({ type: 'direct', to: [to], content: 'hello' });
    const subscribing = (one: string) => ({ subscriptions: [{ name: 'general chat' }], principals: [one] });
    const byAddress = (address: string): Promise<string[]> =>
      Promise.all(
        [
          ben.call('GET', '/messages', sender(address)),
          ben.call('POST', '/messages', direct(address)),
          ben.call('POST', '/users/me/subscriptions', subscribing(address)),
          ben.call('GET', `/users/${address}/presence`),
          ben.call('GET', `/users/${address}`),
          owner.call('PATCH', `/users/${address}`, { full_name: 'Ann Archer' }),
        ].map(async (answer) => {
          const { status, body } = await answer;
          return `${status} ${body.code ?? ''} ${(body.msg as string).replace(address, '…')}`;
        }),
      );
    const unknown = await byAddress('nobody@example.test');
    expect(unknown.map((text) => text.slice(0, 3))).toEqual(Array(6).fill('400'));
    expect(await byAddress(ann.email)).toEqual(unknown);
    expect((await byAddress(dummy)).map((text) => text.slice(0, 3))).toEqual(Array(6).fill('200'));
    const { messages } = await ben.ok('GET', '/messages', sender(dummy));
    expect(new Set(messages.map(({ sender_id }: any) => sender_id))).toEqual(new Set([ann.userId]));
  });

  test('is that of queues that listen to a sender, too', async () => {
    const narrowed = (operand: string) => ben.register({ narrow: [['sender', operand]], event_types: ['message'] });
    const queues = [await narrowed(dummy), await narrowed(ann.email), await narrowed(String(ann.userId))];
    await ann.send(channel, 'topic', 'who hears?');
    expect(await Promise.all(queues.map(async (queue) => (await queue.pending()).length))).toEqual([1, 0, 1]);
  });

  test('logs in with its password and key, and so does what stands for it with the key', async () => {
    const login = { username: ann.email, password: 'the password of Ann Archer' };
    expect(await ben.ok('POST', '/fetch_api_key', login)).toMatchObject({ email: ann.email, user_id: ann.userId });
    const { status, body } = await exchange(`${server.url}/api/v1/users/me`, {
      headers: { authorization: basic(dummy, ann.apiKey) },
    });
    expect([status, body.user_id]).toEqual([200, ann.userId]);
  });

  test('is hidden from those without an account', async () => {
    await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
    const { body } = await exchange(`${server.url}/api/v1/users`, {});
    expect(body.members.find(({ user_id }: any) => user_id === ann.userId)).toMatchObject({
      email: dummy,
      delivery_email: null,
    });
  });

  test('is kept through a restart', async () => {
    await server.restart();
    expect(await seen(ben)).toMatchObject({ email: dummy, delivery_email: null });
    expect((await ben.ok('GET', `/users/${dummy}`)).user.user_id).toBe(ann.userId);
  });
});

describe('new users', () => {
  test('hide their addresses as the organization has set it', async () => {
    const queue = await owner.register({ event_types: ['realm_user_settings_defaults'] });
    await owner.ok('PATCH', '/realm/user_settings_defaults', { email_address_visibility: ADMINISTRATORS });
    expect(await told(queue)).toEqual([{ property: 'email_address_visibility', value: ADMINISTRATORS }]);
    const [owners, bens] = [await owner.register(), await ben.register()];
    const nina = await server.user('Nina New');
    const added = async (told: TestQueue): Promise<any> =>
      (await told.pending()).find(({ type, op }) => type === 'realm_user' && op === 'add').person;
    expect(await added(owners)).toMatchObject({ user_id: nina.userId, delivery_email: nina.email });
    expect(await added(bens)).toMatchObject({
      user_id: nina.userId,
      delivery_email: null,
      avatar_url: expect.any(String),
    });
    const { user_settings, realm_user_settings_defaults } = (await nina.register(MODERN)).state;
    expect(user_settings.email_address_visibility).toBe(ADMINISTRATORS);
    expect(realm_user_settings_defaults.email_address_visibility).toBe(ADMINISTRATORS);
    expect((await seen(ben, ann.userId)).delivery_email).toBeNull();
  });

  test('cannot have an address that stands for a hidden one', async () => {
    const asked = {
      email: `USER999@${dummy.split('@')[1]!}`,
      password: 'a good long password',
      full_name: 'Trick Ster',
    };
    expectRefusal(await owner.call('POST', '/users', asked), 'BAD_REQUEST');
  });
});
