/** Bots and what they keep on the server (endpoints.md §9; events.md §4, `realm_bot`). */
import { applyEvents } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import { ApiClient } from '../../support/client.js';
import { COUNTS_POLLS, untilHeld } from '../../support/held-polls.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';
import { startTestServer } from '../../support/server.js';

let cast: Cast;
let owner: ApiClient, ann: ApiClient, ben: ApiClient;
let made = 0;

beforeAll(async () => {
  cast = await startWithPeople(undefined, COUNTS_POLLS);
  ({ owner, ann, ben } = cast);
});
afterAll(() => cast.server.stop());

const eventOf = ({ id: _, ...event }: any): any => event;
const bot = (change: object = {}): Record<string, unknown> => {
  return { full_name: `Robot ${++made}`, short_name: `robot${made}`, ...change };
};
async function create(change: object = {}, client = ann): Promise<any> {
  const asked = bot(change);
  return { ...asked, ...(await client.ok('POST', '/bots', asked)) };
}
const botsOf = async (client: ApiClient): Promise<any[]> =>
  (await client.register({ fetch_event_types: ['realm_bot'] })).state.realm_bots;
/** A client that calls with the bot's key. */
const as = ({ short_name, api_key }: any): ApiClient =>
  new ApiClient(() => cast.server.url, `${String(short_name)}-bot@127.0.0.1`, api_key);

test('a bot is made, shown to its owner and to administrators, and can send', async () => {
  const queues = await Promise.all(
    [ann, owner, ben].map((client) => client.register({ event_types: ['realm_user', 'realm_bot'] })),
  );
  const made = await create({ full_name: 'Weather', short_name: 'weather' });
  expect(made).toMatchObject({
    api_key: expect.stringMatching(/^[a-zA-Z0-9]{32}$/),
    avatar_url: expect.stringMatching(/^\/user_avatars\//),
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
  });
  const shown = {
    user_id: made.user_id,
    full_name: 'Weather',
    email: 'weather-bot@127.0.0.1',
    bot_type: 1,
    is_active: true,
    api_key: made.api_key,
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
    avatar_url: made.avatar_url,
    owner_id: ann.userId,
    services: [],
  };
  const told = await Promise.all(queues.map(async (queue) => (await queue.pending()).map(eventOf)));
  for (const events of told)
    expect(events[0]).toMatchObject({
      type: 'realm_user',
      op: 'add',
      person: { user_id: made.user_id, is_bot: true, bot_type: 1, bot_owner_id: ann.userId, role: 400 },
    });
  const added = { type: 'realm_bot', op: 'add', bot: shown };
  expect(told.map((events) => events.slice(1))).toEqual([[added], [added], []]);
  expect(await botsOf(ann)).toEqual([shown]);
  expect(await botsOf(owner)).toContainEqual(shown);
  expect(await botsOf(ben)).toEqual([]);
  expect((await ann.ok('GET', '/bots')).bots).toEqual([
    {
      username: 'weather-bot@127.0.0.1',
      full_name: 'Weather',
      api_key: made.api_key,
      avatar_url: made.avatar_url,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    },
  ]);
  expect((await owner.ok('GET', '/bots')).bots).toEqual([]);
  const client = as(made);
  expect((await client.ok('GET', '/users/me')).is_bot).toBe(true);
  await channelOf('skies', ann);
  await client.ok('POST', '/messages', { type: 'channel', to: 'skies', topic: 'today', content: 'Rain' });
});

test('a bot is changed by its owner, and each change is told', async () => {
  const made = await create();
  const queue = await ann.register({ event_types: ['realm_user', 'realm_bot'] });
  await channelOf('news', ann);
  const asked = {
    full_name: 'Newsreader',
    default_sending_stream: 'news',
    default_events_register_stream: 'news',
    default_all_public_streams: true,
    config_data: { pace: 'slow' },
  };
  expect(await ann.ok('PATCH', `/bots/${made.user_id}`, asked)).toMatchObject({
    ...asked,
    avatar_url: made.avatar_url,
    service_interface: null,
    service_payload_url: null,
  });
  const user_id = made.user_id;
  const { full_name, config_data: _, ...channels } = asked;
  const events = await queue.pending();
  expect(events.map(eventOf)).toEqual([
    { type: 'realm_user', op: 'update', person: { user_id, full_name } },
    { type: 'realm_bot', op: 'update', bot: { user_id, full_name } },
    { type: 'realm_bot', op: 'update', bot: { user_id, ...channels } },
  ]);
  await ann.ok('PATCH', `/bots/${user_id}`, { config_data: { pace: 'fast' } });
  const { stream_id } = await ann.ok('GET', '/get_stream_id', { stream: 'news' });
  await ann.ok('PATCH', `/streams/${stream_id}`, { new_name: 'latest' });
  const renamed = { default_sending_stream: 'latest', default_events_register_stream: 'latest' };
  expect((await queue.pending()).map(eventOf)).toEqual([
    { type: 'realm_bot', op: 'update', bot: { user_id, ...renamed } },
  ]);
  expect((await ann.ok('PATCH', `/bots/${user_id}`, { default_sending_stream: '' })).default_sending_stream).toBeNull();
  expect((await ann.ok('PATCH', `/bots/${user_id}`, {})).full_name).toBe(full_name);

  const before = await as(made).register();
  expect((await before.pending()).length).toBe(0);
  await channelOf('noise', ann);
  const heard = await ann.send('latest', 'a', 'for the bot');
  await ann.send('noise', 'a', 'not for the bot');
  const messages = (await before.pending()).filter(({ type }: any) => type === 'message');
  expect(messages.map(({ message }: any) => message.id)).toEqual([heard]);
});

test('a message of a bot that names no channel goes to its default channel', async () => {
  await channelOf('default', ann);
  const made = await create({ default_sending_stream: 'default' });
  const { id } = await as(made).ok('POST', '/messages', { type: 'stream', to: '[]', topic: 't', content: 'here' });
  expect((await ann.ok('GET', `/messages/${id}`)).message.display_recipient).toBe('default');
  expectRefusal(
    await ann.call('POST', '/messages', { type: 'stream', to: '[]', topic: 't', content: 'x' }),
    'BAD_REQUEST',
  );
});

test('a bot with a private default channel is shown to its owner alone', async () => {
  await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'den' }], invite_only: true });
  const queue = await owner.register({ event_types: ['realm_bot'] });
  const made = await create({ default_sending_stream: 'den' });
  expect((await ann.ok('GET', '/bots')).bots.at(-1).default_sending_stream).toBe('den');
  expect(await queue.pending()).toEqual([]);
  expect((await botsOf(owner)).some(({ user_id }: any) => user_id === made.user_id)).toBe(false);
  await ann.ok('PATCH', `/bots/${made.user_id}`, { default_sending_stream: '' });
  expect((await queue.pending()).map(eventOf)).toEqual([
    { type: 'realm_bot', op: 'add', bot: expect.objectContaining({ user_id: made.user_id }) },
  ]);
  await ann.ok('PATCH', `/bots/${made.user_id}`, { default_sending_stream: 'den' });
  expect((await queue.pending()).map(eventOf)).toEqual([
    { type: 'realm_bot', op: 'delete', bot: { user_id: made.user_id } },
  ]);
});

test('a bot is shown to administrators as its default channels become private, and public again', async () => {
  const [first, second] = [await channelOf('first den', ann), await channelOf('second den', ann)];
  const { user_id } = await create({
    default_sending_stream: 'first den',
    default_events_register_stream: 'second den',
  });
  const queues = await Promise.all([owner, ann].map((client) => client.register({ event_types: ['realm_bot'] })));
  const told = () => Promise.all(queues.map(async (queue) => (await queue.pending()).map(eventOf)));
  const isListed = async () => (await botsOf(owner)).some((shown) => shown.user_id === user_id);
  const turn = (channelId: number, is_private: boolean, more: object = {}) =>
    ann.ok('PATCH', `/streams/${channelId}`, { is_private, ...more });
  const deleted = { type: 'realm_bot', op: 'delete', bot: { user_id } };
  const added = (channel: string) => ({
    type: 'realm_bot',
    op: 'add',
    bot: expect.objectContaining({ user_id, default_sending_stream: channel }),
  });
  const named = (channel: string) => ({
    type: 'realm_bot',
    op: 'update',
    bot: { user_id, default_sending_stream: channel },
  });
  await turn(first, true);
  expect(await told()).toEqual([[deleted], []]);
  expect(await isListed()).toBe(false);
  await turn(second, true);
  await turn(first, false, { new_name: 'open den' });
  expect(await told()).toEqual([[], [named('open den')]]);
  await ann.ok('PATCH', `/bots/${user_id}`, { full_name: 'Unseen by others' });
  expect((await told())[0]).toEqual([]);
  expect(await isListed()).toBe(false);
  await turn(second, false);
  expect(await told()).toEqual([[added('open den')], []]);
  expect(await isListed()).toBe(true);
  await turn(first, true, { new_name: 'closed den' });
  expect(await told()).toEqual([[deleted], [named('closed den')]]);
  // What it is told of next is no second deletion.
  await ann.ok('PATCH', `/bots/${user_id}`, { default_all_public_streams: true });
  expect((await told())[0]).toEqual([]);
});

/** What the notification bot last told the client's user. */
async function told(client: ApiClient): Promise<string> {
  const narrow = [{ operator: 'sender', operand: 'notification-bot@127.0.0.1' }];
  const { messages } = await client.ok('GET', '/messages', {
    ...{ narrow, anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false },
  });
  return messages.at(-1)?.content ?? '';
}

test('a bot is given to somebody else, with a key and queues of their own', async () => {
  const made = await create();
  const watch = { event_types: ['realm_user', 'realm_bot'] };
  const [former, next, admin] = await Promise.all([ann.register(watch), ben.register(watch), owner.register(watch)]);
  const formerKey = as(made);
  const queue = await formerKey.register();
  const held = formerKey.call('GET', '/events', { queue_id: queue.queueId, last_event_id: queue.lastEventId });
  const answer = await ann.ok('PATCH', `/bots/${made.user_id}`, { bot_owner_id: ben.userId });
  expect(answer.bot_owner).toBe(ben.email);
  const user_id = made.user_id;
  const { api_key } = (await ben.ok('GET', '/bots')).bots[0];
  expect(api_key).not.toBe(made.api_key);
  const person = { type: 'realm_user', op: 'update', person: { user_id, bot_owner_id: ben.userId } };
  expect((await former.pending()).map(eventOf)).toEqual([
    person,
    { type: 'realm_bot', op: 'delete', bot: { user_id } },
  ]);
  expect((await next.pending()).map(eventOf)).toEqual([
    person,
    { type: 'realm_bot', op: 'add', bot: expect.objectContaining({ user_id, owner_id: ben.userId, api_key }) },
  ]);
  expect((await admin.pending()).map(eventOf)).toEqual([
    person,
    { type: 'realm_bot', op: 'update', bot: { user_id, owner_id: ben.userId } },
    { type: 'realm_bot', op: 'update', bot: { user_id, api_key: '' } },
  ]);
  expect((await botsOf(owner)).find((shown: any) => shown.user_id === user_id).api_key).toBe('');
  expectRefusal(await formerKey.call('GET', '/users/me'), 'INVALID_API_KEY', 401);
  expect((await held).body.events?.map(({ type }: any) => type)).toEqual(['heartbeat']);
  const renewed = as({ ...made, api_key });
  expectRefusal(
    await renewed.call('GET', '/events', { queue_id: queue.queueId, last_event_id: -1, dont_block: true }),
    'BAD_EVENT_QUEUE_ID',
  );
  expect(await told(ben)).toContain(`Ann Archer|${ann.userId}** gave you the bot @_**${made.full_name}|${user_id}**`);
  expectRefusal(await ann.call('PATCH', `/bots/${user_id}`, { full_name: 'Mine' }), 'BAD_REQUEST');
  expect((await ben.ok('GET', '/bots')).bots).toHaveLength(1);
  // The next key is the new owner's alone, too.
  expectRefusal(await owner.call('POST', `/bots/${user_id}/api_key/regenerate`), 'BAD_REQUEST');
  const own = await ben.register(watch);
  const again = await ben.ok('POST', `/bots/${user_id}/api_key/regenerate`);
  expect((await own.pending()).map(eventOf)).toEqual([
    { type: 'realm_bot', op: 'update', bot: { user_id, api_key: again.api_key } },
  ]);
  expect(await admin.pending()).toEqual([]);
  expect((await botsOf(owner)).find((shown: any) => shown.user_id === user_id).api_key).toBe('');
});

test('a bot that is given away leaves private channels that its new owner may not read', async () => {
  const made = await create();
  const { user_id } = made;
  const secret = await channelOf('secret of Ann', ann);
  const open = await channelOf('open to all', ann);
  await ann.ok('PATCH', `/streams/${secret}`, { is_private: true });
  const subscriptions = [{ name: 'secret of Ann' }, { name: 'open to all' }];
  await ann.ok('POST', '/users/me/subscriptions', { subscriptions, principals: [user_id] });
  const message = await ann.send('secret of Ann', 'plans', 'for those who are here');
  await ann.ok('PATCH', `/bots/${user_id}`, { default_sending_stream: 'secret of Ann' });
  const peer = await ann.register({ event_types: ['subscription'] });
  const answer = await ann.ok('PATCH', `/bots/${user_id}`, { bot_owner_id: ben.userId });
  expect(answer.default_sending_stream).toBeNull();
  const { api_key } = (await ben.ok('GET', '/bots')).bots.find((one: any) => one.full_name === made.full_name);
  const renewed = as({ ...made, api_key });
  expect((await peer.pending()).map(eventOf)).toEqual([
    { type: 'subscription', op: 'peer_remove', stream_ids: [secret], user_ids: [user_id] },
  ]);
  expect((await renewed.register()).state.unread_msgs.streams).toEqual([]);
  expectRefusal(await renewed.call('GET', `/messages/${message}`), 'BAD_REQUEST');
  const { subscriptions: left } = await renewed.ok('GET', '/users/me/subscriptions');
  expect(left.map(({ stream_id }: any) => stream_id)).toEqual([open]);
  expect(JSON.stringify((await ben.ok('GET', '/bots')).bots)).not.toContain('secret');
});

test('a key is replaced; the former one ends, and so does a deactivated bot', async () => {
  const made = await create();
  const queue = await ann.register({ event_types: ['realm_bot'] });
  const waiting = (await as(made).register()).poll();
  await untilHeld(cast.server);
  const { api_key } = await ann.ok('POST', `/bots/${made.user_id}/api_key/regenerate`);
  // Who knows the former key alone learns nothing more.
  expect(await waiting).toEqual([]);
  expect(api_key).not.toBe(made.api_key);
  expectRefusal(await as(made).call('GET', '/users/me'), 'INVALID_API_KEY', 401);
  const renewed = as({ ...made, api_key });
  await renewed.ok('GET', '/users/me');
  await ann.ok('DELETE', `/bots/${made.user_id}`);
  await ann.ok('DELETE', `/bots/${made.user_id}`);
  expectRefusal(await renewed.call('GET', '/users/me'), 'USER_DEACTIVATED', 401);
  expect((await queue.pending()).map(eventOf)).toEqual([
    { type: 'realm_bot', op: 'update', bot: { user_id: made.user_id, api_key } },
    { type: 'realm_bot', op: 'update', bot: { user_id: made.user_id, is_active: false } },
  ]);
  expect((await ann.ok('GET', '/bots')).bots.some(({ full_name }: any) => full_name === made.full_name)).toBe(false);
  expect((await botsOf(ann)).find(({ user_id }: any) => user_id === made.user_id).is_active).toBe(false);
});

test('a bot whose owner is gone belongs to who reactivates it', async () => {
  const oz = await cast.server.user('Oz Odd');
  const made = await create({}, oz);
  const secret = await channelOf('secret of Oz', oz, ann);
  await oz.ok('PATCH', `/streams/${secret}`, { is_private: true });
  const joining = { subscriptions: [{ name: 'secret of Oz' }], principals: [made.user_id] };
  await oz.ok('POST', '/users/me/subscriptions', joining);
  await owner.ok('DELETE', `/users/${oz.userId}`);
  const queue = await owner.register({ event_types: ['realm_bot', 'realm_user'] });
  await owner.ok('POST', `/users/${made.user_id}/reactivate`);
  const { user_id: ownerId } = await owner.ok('GET', '/users/me');
  const { user_id } = made;
  expect((await queue.pending()).map(eventOf)).toEqual([
    { type: 'realm_user', op: 'update', person: { user_id, is_active: true } },
    { type: 'realm_bot', op: 'update', bot: { user_id, is_active: true } },
    { type: 'realm_user', op: 'update', person: { user_id, bot_owner_id: ownerId } },
    { type: 'realm_bot', op: 'update', bot: { user_id, owner_id: ownerId } },
    { type: 'realm_bot', op: 'update', bot: { user_id, api_key: expect.stringMatching(/^[a-zA-Z0-9]{32}$/) } },
  ]);
  expectRefusal(await as(made).call('GET', '/users/me'), 'INVALID_API_KEY', 401);
  expect(await told(owner)).toMatch(/^You now own the bot/);
  expect((await owner.ok('GET', '/bots')).bots.map(({ full_name }: any) => full_name)).toContain(
    (await owner.ok('GET', `/users/${user_id}`)).user.full_name,
  );
  expect((await ann.ok('GET', `/streams/${secret}/members`)).subscribers).toEqual([ann.userId]);
});

test('who does not see a bot any more is told nothing of it but that, also of what came before', async () => {
  await owner.ok('PATCH', `/users/${ben.userId}`, { role: 200 });
  const queue = await ben.register({ event_types: ['realm_bot'] });
  const { user_id } = await create();
  await owner.ok('PATCH', `/users/${ben.userId}`, { role: 400 });
  await ann.ok('POST', `/bots/${user_id}/api_key/regenerate`);
  await ann.ok('PATCH', `/bots/${user_id}`, { full_name: 'Not for Ben' });
  const told = (await queue.pending()).map(eventOf).filter(({ bot: { user_id: id } }) => id === user_id);
  expect(told).toEqual([{ type: 'realm_bot', op: 'delete', bot: { user_id } }]);
});

test('administrators gain sight of all bots, and lose it', async () => {
  const made = await create();
  const queue = await ben.register({ event_types: ['realm_bot', 'realm_user'] });
  await owner.ok('PATCH', `/users/${ben.userId}`, { role: 200 });
  const gained = await queue.pending();
  expect(gained.filter(({ type }: any) => type === 'realm_bot').map(({ bot }: any) => bot.user_id)).toContain(
    made.user_id,
  );
  expect(applyEvents(queue.state, gained)['realm_bots']).toEqual(await botsOf(ben));
  await owner.ok('PATCH', `/users/${ben.userId}`, { role: 400 });
  expect(applyEvents(queue.state, await queue.pending())['realm_bots']).toEqual(await botsOf(ben));
});

test('an outgoing webhook bot shows the service that it calls', async () => {
  const made = await create({ bot_type: 3, payload_url: '"https://weather.test/hook"', service_name: 'weather' });
  const shown = (await botsOf(ann)).find(({ user_id }: any) => user_id === made.user_id);
  expect(shown.services).toEqual([
    { base_url: 'https://weather.test/hook', interface: 1, token: expect.stringMatching(/.{32}/) },
  ]);
  const changed = { service_payload_url: 'https://other.test', service_interface: 2 };
  expect(await ann.ok('PATCH', `/bots/${made.user_id}`, changed)).toMatchObject(changed);
});

test('an incoming webhook bot may send, and nothing else', async () => {
  const client = as(await create({ bot_type: 2 }));
  await channelOf('hooks', ann);
  await client.ok('POST', '/messages', { type: 'channel', to: 'hooks', topic: 'ci', content: 'Green' });
  for (const [method, path] of [
    ['GET', '/users/me'],
    ['POST', '/register'],
    ['GET', '/messages'],
    ['GET', '/bot_storage'],
  ] as const)
    expect(expectRefusal(await client.call(method, path), 'BAD_REQUEST').msg).toBe(
      'This API is not available to incoming webhook bots.',
    );
});

test('a bot has no settings of its own: they are for people', async () => {
  const robot = as(await create());
  for (const path of ['/settings', '/settings/display', '/settings/notifications'])
    expectRefusal(await robot.call('PATCH', path, { twenty_four_hour_time: true }), 'BAD_REQUEST');
  expect((await robot.register({ fetch_event_types: ['user_settings'] })).state.user_settings).toMatchObject({
    twenty_four_hour_time: false,
  });
});

test('a person who becomes a guest has no bot any more, by whose key the guest would read public channels', async () => {
  const turning = await cast.server.user('Tim Turner');
  const made = await create({}, turning);
  const told = await owner.register({ event_types: ['realm_bot'] });
  await owner.ok('PATCH', `/users/${turning.userId}`, { role: 600 });
  expectRefusal(await as(made).call('GET', '/users/me'), 'USER_DEACTIVATED', 401);
  const { user_id } = made;
  expect((await told.pending()).map(eventOf)).toEqual([
    { type: 'realm_bot', op: 'update', bot: { user_id, is_active: false } },
  ]);
  await owner.ok('POST', `/users/${user_id}/reactivate`);
  expect((await owner.ok('GET', `/users/${user_id}`)).user.bot_owner_id).toBe(
    (await owner.ok('GET', '/users/me')).user_id,
  );
});

test('refusals make and change nothing', async () => {
  const made = await create();
  const guest = await cast.server.user('Gil Guest');
  await owner.ok('PATCH', `/users/${guest.userId}`, { role: 600 });
  const known = await ann.ok('GET', '/bots');
  const refused: [object, RegExp][] = [
    [bot({ full_name: made.full_name }), /^Name is already in use!$/],
    [bot({ full_name: 'Ann Archer' }), /^Name is already in use!$/],
    [bot({ short_name: made.short_name }), /^Username already in use$/],
    [bot({ short_name: '@' }), /^Bad name or username$/],
    [bot({ bot_type: 7 }), /^Invalid bot type$/],
    [bot({ bot_type: 4 }), /^Embedded bots are not enabled\.$/],
    [bot({ bot_type: 3 }), /^payload_url is not a URL$/],
    [bot({ bot_type: 3, payload_url: 'https://a.test', interface_type: 9 }), /^Invalid interface type$/],
    [bot({ default_sending_stream: 'nowhere' }), /^Invalid channel name 'nowhere'$/],
    [bot({ full_name: 'x'.repeat(101) }), /^Name too long!$/],
    [bot({ config_data: '{"a": 1}' }), /config_data/],
  ];
  for (const [asked, words] of refused)
    expect(expectRefusal(await ann.call('POST', '/bots', { ...asked }), 'BAD_REQUEST').msg).toMatch(words);
  expectRefusal(await ann.call('POST', '/bots', { full_name: 'x' }), 'REQUEST_VARIABLE_MISSING');
  expectRefusal(await ann.call('POST', '/bots', bot({ bot_type: 'x' })), 'REQUEST_VARIABLE_INVALID');
  expectRefusal(await guest.call('POST', '/bots', bot()), 'BAD_REQUEST');
  expectRefusal(await as(made).call('POST', '/bots', bot()), 'BAD_REQUEST');
  const path = `/bots/${made.user_id}`;
  for (const [client, changes] of [
    [ben, { full_name: 'Stolen' }],
    [ann, { role: 200 }],
    [ann, { role: 150 }],
    [ann, { bot_owner_id: 9999 }],
    [ann, { bot_owner_id: made.user_id }],
    [ann, { bot_owner_id: guest.userId }],
    [ann, { service_payload_url: 'https://a.test' }],
    [ann, { full_name: 'Changed', default_sending_stream: 'nowhere' }],
    [as(made), { full_name: 'Self' }],
  ] as const)
    expect((await client.call('PATCH', path, changes)).status).toBe(400);
  for (const id of [ann.userId, 1, 9999]) {
    expectRefusal(await ann.call('PATCH', `/bots/${id}`, { full_name: 'x y' }), 'BAD_REQUEST');
    expectRefusal(await ann.call('DELETE', `/bots/${id}`), 'BAD_REQUEST');
    expectRefusal(await ann.call('POST', `/bots/${id}/api_key/regenerate`), 'BAD_REQUEST');
  }
  expectRefusal(await ben.call('DELETE', path), 'BAD_REQUEST');
  expectRefusal(await ben.call('POST', `${path}/api_key/regenerate`), 'BAD_REQUEST');
  expect(await ann.ok('GET', '/bots')).toEqual(known);
});

describe('storage', () => {
  test('keeps what a bot stores, also over a restart, for that bot alone', async () => {
    const [one, other] = [as(await create()), as(await create())];
    await one.ok('PUT', '/bot_storage', { storage: { count: '1', größe: 'ж' } });
    await one.ok('PUT', '/bot_storage', { storage: { count: '2' } });
    const all = { count: '2', größe: 'ж' };
    expect((await one.ok('GET', '/bot_storage')).storage).toEqual(all);
    await cast.server.restart(() => cast.server.forgetReadModels());
    expect((await one.ok('GET', '/bot_storage')).storage).toEqual(all);
    expect((await one.ok('GET', '/bot_storage', { keys: ['count'] })).storage).toEqual({ count: '2' });
    expect((await other.ok('GET', '/bot_storage')).storage).toEqual({});
    expect(expectRefusal(await other.call('GET', '/bot_storage', { keys: ['count'] }), 'BAD_REQUEST').msg).toBe(
      'Key does not exist.',
    );
    expectRefusal(await one.call('DELETE', '/bot_storage', { keys: ['count', 'nothing'] }), 'BAD_REQUEST');
    await one.ok('DELETE', '/bot_storage', { keys: ['count'] });
    expect((await one.ok('GET', '/bot_storage')).storage).toEqual({ größe: 'ж' });
    await one.ok('DELETE', '/bot_storage');
    expect((await one.ok('GET', '/bot_storage')).storage).toEqual({});
  });

  test('refuses what is no text, and too much', async () => {
    const client = as(await create());
    for (const storage of ['{"a": 1}', '[]', '"a"'])
      expect((await client.call('PUT', '/bot_storage', { storage })).status).toBe(400);
    expectRefusal(await client.call('PUT', '/bot_storage'), 'REQUEST_VARIABLE_MISSING');
    expectRefusal(await client.call('PUT', '/bot_storage', { storage: { ['k'.repeat(301)]: '' } }), 'BAD_REQUEST');
    const value = 'x'.repeat(900_000);
    for (let key = 0; key < 11; key++) await client.ok('PUT', '/bot_storage', { storage: { [`k${key}`]: value } });
    expectRefusal(await client.call('PUT', '/bot_storage', { storage: { k11: value } }), 'BAD_REQUEST');
    expectRefusal(await client.call('GET', '/bot_storage'), 'BAD_REQUEST');
    expect((await client.ok('GET', '/bot_storage', { keys: ['k1'] })).storage.k1).toHaveLength(900_000);
  });
});

test('a bot can list the channels of its owner, private ones too, and nobody else can', async () => {
  const robot = as(await create());
  await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'workshop' }], invite_only: true });
  await ben.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'cellar' }], invite_only: true });
  const none = { include_public: false, include_subscribed: false };
  const listed = async (more: object): Promise<string[]> =>
    (await robot.ok('GET', '/streams', { ...none, ...more })).streams.map(({ name }: any) => name);
  const names = await listed({ include_owner_subscribed: true });
  expect(names).toContain('workshop');
  expect(names).not.toContain('cellar');
  expect(await listed({ include_all: true })).not.toContain('workshop');
  // It says nothing of people.
  const asked = { ...none, include_owner_subscribed: true };
  expect((await ann.ok('GET', '/streams', asked)).streams).toEqual([]);
});

test('calls of all bots of a person count for that person', async () => {
  const server = await startTestServer({ RATE_LIMITS: 'on' });
  try {
    const { owner } = server;
    const bots: ApiClient[] = [];
    for (let index = 0; index < 3; index++) {
      const asked = bot();
      const { api_key } = await owner.ok('POST', '/bots', asked);
      bots.push(new ApiClient(() => server.url, `${String(asked['short_name'])}-bot@127.0.0.1`, api_key));
    }
    const statuses: number[] = [];
    for (let index = 0; index < 201; index++)
      statuses.push((await bots[index % bots.length]!.call('GET', '/users/me')).status);
    // Those of the owner, who made the bots, count as well.
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(198);
    expect(expectRefusal(await owner.call('GET', '/users/me'), 'RATE_LIMIT_HIT', 429)['retry-after']).toBeGreaterThan(
      0,
    );
  } finally {
    await server.stop();
  }
});
