import { applyEvents, comparable } from '#testing';
import { expectRefusal, messageOf, messagesIn } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

/** Guests who know only those whom they share a channel or a direct conversation with (`can_access_all_users_group`). */

const EVERYONE = 6;
const MEMBERS = 5;
const INCOMPLETE = { client_capabilities: { user_list_incomplete: true } };

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let gus: ApiClient;

const limit = (group: number) => owner.ok('PATCH', '/realm', { can_access_all_users_group: { new: group } });
const idOf = ({ user_id }: any): number => user_id;
const known = async (client: ApiClient): Promise<number[]> => (await client.ok('GET', '/users')).members.map(idOf);
const unknown = (userId: number) => ({
  user_id: userId,
  email: expect.stringMatching(new RegExp(`^user${userId}@`)),
  delivery_email: null,
  full_name: 'Unknown user',
  role: 400,
  is_active: true,
  is_bot: false,
  timezone: '',
  avatar_url: expect.stringMatching(/^\/user_avatars\//),
  profile_data: {},
});

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  gus = await server.user('Gus Guest');
  await owner.ok('PATCH', `/users/${gus.userId}`, { role: 600 });
  await channelOf('floor', ann, gus);
  await channelOf('hall', ben, cleo);
  await owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['general'], principals: [gus.userId] });
});
afterAll(() => server.stop());

/** What a client of the guest is told of users; afterwards it knows what a new client would be told. */
async function told(parameters: Record<string, unknown>, act: () => Promise<unknown>): Promise<any[]> {
  const asked = { ...parameters, event_types: ['realm_user'] };
  const queue = await gus.register(asked);
  await act();
  const events = await queue.pending();
  const fresh = await gus.register(asked);
  expect(comparable(applyEvents(queue.state, events))).toEqual(comparable(fresh.state));
  return events.map(({ op, person }) => [op, person.user_id, person.full_name]);
}

async function isGone(queue: TestQueue): Promise<boolean> {
  const poll = { queue_id: queue.queueId, last_event_id: queue.lastEventId, dont_block: true };
  const { body } = await gus.call('GET', '/events', poll);
  return body.code === 'BAD_EVENT_QUEUE_ID';
}

test('guests know everybody at first', async () => {
  expect(await known(gus)).toEqual(expect.arrayContaining([owner.userId, ann.userId, ben.userId, cleo.userId]));
});

test('it is for members or for everyone', async () => {
  for (const group of [1, 2, 3, 4, 7, 8, { direct_members: [gus.userId], direct_subgroups: [] }]) {
    const answer = await owner.call('PATCH', '/realm', { can_access_all_users_group: { new: group } });
    expect([group, answer.status]).toEqual([group, 400]);
  }
});

test('limited guests register again, and are listed whom they know', async () => {
  const [before, others] = [await gus.register(), await ann.register({ event_types: ['realm'] })];
  await limit(MEMBERS);
  expect(await isGone(before)).toBe(true);
  expect(await others.pending()).toMatchObject([{ op: 'update_dict', data: { can_access_all_users_group: MEMBERS } }]);

  const { realm_users: incomplete } = (await gus.register(INCOMPLETE)).state;
  expect(incomplete.map(idOf)).toEqual([ann.userId, gus.userId]);
  const { realm_users: whole } = (await gus.register()).state;
  expect(whole.map(idOf)).toEqual([owner.userId, ann.userId, ben.userId, cleo.userId, gus.userId]);
  expect(whole.find((user: any) => user.user_id === ben.userId)).toMatchObject(unknown(ben.userId));
  expect(whole.find((user: any) => user.user_id === ann.userId)).toMatchObject({ full_name: ann.fullName });
  expect(await known(gus)).toEqual([ann.userId, gus.userId]);
  expect((await gus.register()).state.cross_realm_bots.length).toBeGreaterThan(2);
  expect(await known(ann)).toContain(ben.userId);
});

test('users whom they may not know are as good as none', async () => {
  const floor = (await gus.ok('GET', '/get_stream_id', { stream: 'floor' })).stream_id;
  const { id: field } = await owner.ok('POST', '/realm/profile_fields', { field_type: 6, name: 'Mentors' });
  const narrow = (operator: string, operand: unknown): [string, string, object] => [
    'GET',
    '/messages',
    { anchor: 'newest', num_before: 1, num_after: 0, narrow: [{ operator, operand }] },
  ];
  const calls: readonly [method: string, path: string, parameters?: object][] = [
    ['DELETE', `/users/${ben.userId}`],
    ['POST', `/users/${ben.userId}/reactivate`],
    ['PATCH', `/users/${ben.userId}`, { full_name: 'Nobody' }],
    ['GET', `/users/${ben.userId}/subscriptions/${floor}`],
    ['POST', '/drafts', { drafts: [{ type: 'private', to: [ben.userId], topic: '', content: 'x' }] }],
    narrow('sender', ben.userId),
    narrow('sender', String(ben.userId)),
    narrow('mentions', ben.userId),
    narrow('dm', [ben.userId]),
    narrow('dm-including', ben.userId),
    ['GET', `/users/${ben.userId}`],
    ['GET', `/users/${encodeURIComponent(ben.email)}`],
    ['GET', `/users/${ben.userId}/status`],
    ['GET', `/users/${ben.userId}/presence`],
    ['POST', `/users/me/muted_users/${ben.userId}`],
    ['POST', '/messages', { type: 'direct', to: [ben.userId], content: 'hello' }],
    ['POST', '/messages', { type: 'direct', to: [ben.email], content: 'hello' }],
    ['POST', '/users/me/subscriptions', { subscriptions: [{ name: 'floor' }], principals: [ben.userId] }],
    ['DELETE', '/users/me/subscriptions', { subscriptions: ['floor'], principals: [ben.userId] }],
    ['DELETE', '/users/me/subscriptions', { subscriptions: ['floor'], principals: [ben.email] }],
    ['PATCH', '/users/me/profile_data', { data: [{ id: field, value: [ben.userId] }] }],
  ];
  const instead = (text: string): string =>
    text
      .replaceAll(new RegExp(`(?<=[/\\["]|:"?)${ben.userId}(?![0-9])`, 'g'), '987')
      .replaceAll(/ben\.baker(?=@|%40)/g, 'nobody');
  for (const [method, path, parameters = {}] of calls) {
    const code = 'narrow' in parameters ? 'BAD_NARROW' : 'BAD_REQUEST';
    const { msg } = expectRefusal(await gus.call(method, path, { ...parameters }), code);
    const none = await gus.call(method, instead(path), JSON.parse(instead(JSON.stringify(parameters))));
    expect([method, path, none.body.code]).toEqual([method, path, code]);
    const asked = new RegExp(`${ben.userId}|987|${ben.email}|nobody@example.test`, 'g');
    expect(none.body.msg.replace(asked, 'X')).toBe(msg.replace(asked, 'X'));
  }
  const mention = `@**${ben.fullName}** @**|${ben.userId}** @**${ann.fullName}**`;
  const { content } = await messageOf(gus, await gus.send('floor', 'topic', mention));
  expect(content).toContain(`data-user-id="${ann.userId}"`);
  expect(content).not.toContain(`data-user-id="${ben.userId}"`);
});

test('what such users write and react is theirs namelessly', async () => {
  await channelOf('past', cleo, gus);
  const queue = await gus.register({ event_types: ['message', 'reaction'] });
  const id = await cleo.send('past', 'topic', 'I was here');
  await owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['past'], principals: [cleo.userId] });
  await cleo.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
  const nameless = {
    sender_id: cleo.userId,
    sender_full_name: 'Unknown user',
    sender_email: expect.stringMatching(/^user\d+@/),
    avatar_url: expect.stringMatching(/^\/user_avatars\//),
  };
  expect(await messageOf(gus, id)).toMatchObject(nameless);
  expect((await messagesIn(gus, [['channel', 'past']])).find((one) => one.id === id)).toMatchObject(nameless);
  expect(await queue.pending()).toMatchObject([
    { type: 'message', message: nameless },
    { type: 'reaction', user_id: cleo.userId, user: { user_id: cleo.userId, full_name: 'Unknown user' } },
  ]);
  expect(await messageOf(ann.as('Other/1'), await ann.send('floor', 'topic', 'x'))).toMatchObject({
    sender_full_name: ann.fullName,
  });
});

describe.each([
  ['a list of whom they know', INCOMPLETE, 'remove'],
  ['the whole list', {}, 'add'],
] as const)('clients with %s are told', (_, parameters, lost) => {
  const subscribe = (who: ApiClient, name: string) =>
    owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [who.userId] });
  const unsubscribe = (who: ApiClient, name: string) =>
    owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: [who.userId] });

  test('whom they come to know in a channel, and know no longer', async () => {
    expect(await told(parameters, () => subscribe(ben, 'floor'))).toEqual([['add', ben.userId, ben.fullName]]);
    expect(await told(parameters, () => subscribe(gus, 'hall'))).toEqual([['add', cleo.userId, cleo.fullName]]);
    expect(await told(parameters, () => unsubscribe(ben, 'floor'))).toEqual([]);
    expect(await told(parameters, () => unsubscribe(gus, 'hall'))).toEqual([
      [lost, ben.userId, 'Unknown user'],
      [lost, cleo.userId, 'Unknown user'],
    ]);
  });

  test('whom they come to know in several channels at once, and know no longer', async () => {
    const dan = await server.user();
    await channelOf('attic', ann);
    const subscriptions = ['attic', 'hall'];
    const subscribeTo = (who: ApiClient) => () => {
      const channels = subscriptions.map((name) => ({ name }));
      return owner.ok('POST', '/users/me/subscriptions', { subscriptions: channels, principals: [who.userId] });
    };
    const unsubscribeFrom = (who: ApiClient) => () =>
      owner.ok('DELETE', '/users/me/subscriptions', { subscriptions, principals: [who.userId] });
    expect(await told(parameters, subscribeTo(gus))).toEqual([
      ['add', ben.userId, ben.fullName],
      ['add', cleo.userId, cleo.fullName],
    ]);
    expect(await told(parameters, subscribeTo(dan))).toEqual([['add', dan.userId, dan.fullName]]);
    expect(await told(parameters, unsubscribeFrom(dan))).toEqual([[lost, dan.userId, 'Unknown user']]);
    expect(await told(parameters, unsubscribeFrom(gus))).toEqual([
      [lost, ben.userId, 'Unknown user'],
      [lost, cleo.userId, 'Unknown user'],
    ]);
  });

  test('of deactivated users too', async () => {
    const dan = await server.user();
    const cellar = `cellar ${lost}`;
    await channelOf(cellar, ann, dan);
    await owner.ok('DELETE', `/users/${dan.userId}`);
    const inactive = async (): Promise<number[]> =>
      (await gus.register(parameters)).state.realm_non_active_users.map(({ user_id }: any) => user_id);
    expect(await told(parameters, () => subscribe(gus, cellar))).toEqual([['add', dan.userId, dan.fullName]]);
    expect(await inactive()).toContain(dan.userId);
    expect(await told(parameters, () => unsubscribe(gus, cellar))).toEqual([[lost, dan.userId, 'Unknown user']]);
    expect(await inactive()).not.toContain(dan.userId);
  });

  test('whom they come to know by a direct message, before it', async () => {
    const finn = await server.user();
    const queue = await gus.register({ ...parameters, event_types: ['message', 'realm_user'] });
    await finn.sendTo([gus], 'hello');
    expect(await queue.pending()).toMatchObject([
      { type: 'realm_user', op: 'add', person: { user_id: finn.userId, full_name: finn.fullName } },
      { type: 'message', message: { sender_id: finn.userId, sender_full_name: finn.fullName } },
    ]);
  });

  test('the status of whom they come to know', async () => {
    const eve = await server.user();
    await eve.ok('POST', '/users/me/status', { status_text: 'busy', emoji_name: 'tada' });
    const queue = await gus.register({ ...parameters, event_types: ['user_status'] });
    await eve.sendTo([gus], 'hello');
    expect(await queue.pending()).toMatchObject([{ user_id: eve.userId, status_text: 'busy', emoji_name: 'tada' }]);
    expect((await gus.register()).state.user_status[eve.userId]).toMatchObject({ status_text: 'busy' });
  });

  test('nothing of the others', async () => {
    const rename = () => owner.ok('PATCH', `/users/${ben.userId}`, { full_name: `Ben B${lost}` });
    expect(await told(parameters, rename)).toEqual([]);
    await ann.ok('PATCH', '/settings', { presence_enabled: false });
    const queue = await gus.register({ event_types: ['presence', 'user_status'] });
    await ben.ok('POST', '/users/me/status', { status_text: `at ${lost}` });
    await ben.ok('POST', '/users/me/presence', { status: 'active' });
    expect((await queue.pending()).filter(({ user_id }) => user_id === ben.userId)).toEqual([]);
    const { state } = await gus.register({ fetch_event_types: ['user_status', 'presence'], slim_presence: true });
    expect(Object.keys(state.user_status)).not.toContain(String(ben.userId));
    expect(Object.keys(state.presences)).not.toContain(String(ben.userId));
    ben = Object.assign(ben, { fullName: `Ben B${lost}` });
  });

  test('what happens to somebody while deactivated, each time', async () => {
    const eli = await server.user();
    await subscribe(eli, 'floor');
    const queue = await gus.register({ ...parameters, event_types: ['realm_user'] });
    const isAway = async (full_name: string) => {
      await owner.ok('DELETE', `/users/${eli.userId}`);
      await owner.ok('PATCH', `/users/${eli.userId}`, { full_name });
      await owner.ok('POST', `/users/${eli.userId}/reactivate`);
    };
    await isAway(`Eli Away ${lost}`);
    await isAway(`Eli Away Again ${lost}`);
    // Presented again, by what is known now.
    await server.restart();
    const [gone, back] = [{ is_active: false }, { is_active: true }];
    expect((await queue.pending()).map(({ person: { user_id: _, ...person } }) => person)).toEqual([
      gone,
      { full_name: `Eli Away ${lost}` },
      back,
      gone,
      { full_name: `Eli Away Again ${lost}` },
      back,
    ]);
    await unsubscribe(eli, 'floor');
  });

  test('nothing of what was before they came to know somebody', async () => {
    const fay = await server.user();
    const queue = await gus.register({ ...parameters, event_types: ['realm_user', 'presence', 'user_status'] });
    const change = async (full_name: string) => {
      await owner.ok('PATCH', `/users/${fay.userId}`, { full_name });
      await fay.ok('PATCH', '/settings', { timezone: 'Europe/Oslo', email_address_visibility: 1 });
      await fay.ok('PATCH', '/settings', { presence_enabled: false });
      await fay.ok('PATCH', '/settings', { presence_enabled: true });
      await fay.ok('POST', '/users/me/status', { status_text: full_name });
    };
    const toldNow = async () => (await queue.pending()).map(({ type, op }) => op ?? type);
    await change('Fay Before');
    await fay.ok('POST', '/users/me/presence', { status: 'active' });
    await subscribe(fay, 'floor');
    const [first, ...rest] = await toldNow();
    expect([first, rest]).toEqual(['add', ['user_status']]);
    await change('Fay Meanwhile');
    await owner.ok('DELETE', `/users/${fay.userId}`);
    await owner.ok('PATCH', `/users/${fay.userId}`, { full_name: 'Fay Away' });
    await owner.ok('POST', `/users/${fay.userId}/reactivate`);
    expect((await toldNow()).filter((one) => one === 'update')).toHaveLength(4);
    await unsubscribe(fay, 'floor');
    expect(await toldNow()).toEqual([lost]);
    await change('Fay Apart');
    await subscribe(fay, 'floor');
    expect((await toldNow())[0]).toBe('add');
    await unsubscribe(fay, 'floor');
  });

  test('of a new user, who is none of theirs', async () => {
    let userId = 0;
    const create = async () => ({ userId } = await server.user());
    expect(await told(parameters, create)).toEqual(lost === 'remove' ? [] : [['add', userId, 'Unknown user']]);
    const leave = () => owner.ok('DELETE', `/users/${userId}`);
    expect(await told(parameters, leave)).toEqual([]);
  });

  test('of a new user in a channel of theirs, once by name', async () => {
    await owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'general' }],
      principals: [gus.userId],
    });
    let newcomer = ann;
    const create = async () => (newcomer = await server.user());
    const events = await told(parameters, create);
    const unknownAtFirst = lost === 'remove' ? [] : [['add', newcomer.userId, 'Unknown user']];
    expect(events).toEqual([...unknownAtFirst, ['add', newcomer.userId, newcomer.fullName]]);
    await unsubscribe(gus, 'general');
  });

  test('whom they speak with, for good', async () => {
    const dora = await server.user();
    const write = () => dora.sendTo([gus], 'hello');
    expect(await told(parameters, write)).toEqual([['add', dora.userId, dora.fullName]]);
    expect(await told(parameters, write)).toEqual([]);
    await gus.sendTo([dora], 'hello');
    const leave = async () => {
      await owner.ok('DELETE', `/users/${dora.userId}`);
      await owner.ok('POST', `/users/${dora.userId}/reactivate`);
    };
    expect(await told(parameters, leave)).toEqual([
      ['update', dora.userId, undefined],
      ['update', dora.userId, undefined],
    ]);
    await server.restart();
    expect(await known(gus)).toContain(dora.userId);
    await server.restart(() => server.forgetReadModels());
    expect(await known(gus)).toContain(dora.userId);
  });
});

test('who becomes a guest, or is none any more, registers again', async () => {
  const queue = await gus.register();
  await owner.ok('PATCH', `/users/${gus.userId}`, { role: 400 });
  expect(await isGone(queue)).toBe(true);
  expect(await known(gus)).toContain(ben.userId);
  await owner.ok('PATCH', `/users/${gus.userId}`, { role: 600 });
  expect(await known(gus)).not.toContain(ben.userId);
});

test('the limit ends', async () => {
  const queue = await gus.register();
  await limit(EVERYONE);
  expect(await isGone(queue)).toBe(true);
  expect(await known(gus)).toEqual(await known(ann));
});
