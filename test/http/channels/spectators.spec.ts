import { expectRefusal, exchange } from '../../support/answers.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
/** By kind of channel: its ID and a message in it. */
const rooms: Record<string, { id: number; name: string; messageId: number }> = {};
let directId: number;

const WEB_PUBLIC = { operator: 'channels', operand: 'web-public' };

beforeAll(async () => {
  ({ server, owner, ann, ben } = await startWithPeople());
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
  const kinds: [string, Record<string, unknown>][] = [
    ['web-public', { is_web_public: true }],
    ['public', {}],
    ['private', { is_private: true, history_public_to_subscribers: true }],
    ['protected', { is_private: true }],
    ['archived', { is_web_public: true }],
  ];
  for (const [name, settings] of kinds) {
    const id = await channelOf(name, owner, ann);
    if (Object.keys(settings).length > 0) await owner.ok('PATCH', `/streams/${id}`, settings);
    rooms[name] = { id, name, messageId: await ann.send(id, 'topic', `hello ${name}`) };
  }
  await owner.ok('DELETE', `/streams/${rooms['archived']!.id}`);
  directId = await ann.sendTo([ben], 'between us');
});
afterAll(() => server.stop());

/** Without credentials. */
async function call(method: string, path: string, parameters: Record<string, unknown> = {}): Promise<Answer> {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  const query = method === 'GET' && form.size > 0 ? `?${form.toString()}` : '';
  return exchange(`${server.url}/api/v1${path}${query}`, { method, ...(method === 'GET' ? {} : { body: form }) });
}
const ok = async (method: string, path: string, parameters = {}): Promise<any> => {
  const answer = await call(method, path, parameters);
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200, body: { result: 'success' } });
  return answer.body;
};
const fetched = (narrow: unknown[], parameters = {}): Promise<Answer> =>
  call('GET', '/messages', { narrow, anchor: 'newest', num_before: 100, num_after: 0, ...parameters });

const ROOMS = ['web-public', 'public', 'private', 'protected', 'archived'];
const OTHERS = ROOMS.filter((name) => name !== 'web-public');

describe('messages', () => {
  test('of web-public channels are those of a narrow that says so', async () => {
    const { body } = await fetched([WEB_PUBLIC]);
    expect(body.messages.map(({ stream_id }: any) => stream_id)).toEqual([rooms['web-public']!.id]);
    expect(body.messages[0]).toMatchObject({ id: rooms['web-public']!.messageId, flags: ['read'] });
    expect(body.messages[0].avatar_url).toEqual(expect.any(String));
    expect(body).toMatchObject({ found_oldest: true, found_newest: true, history_limited: false });
  });

  test.each([
    [{ operator: 'channel', operand: 'web-public' }],
    [{ operator: 'topic', operand: 'topic' }],
    [{ operator: 'search', operand: 'hello' }],
    [{ operator: 'has', operand: 'link', negated: true }],
  ])('are narrowed by %j', async (term) => {
    const { status, body } = await fetched([WEB_PUBLIC, term]);
    expect([status, body.messages.map(({ id }: any) => id)]).toEqual([200, [rooms['web-public']!.messageId]]);
  });

  test.each([
    ['nothing', []],
    ['another channel term', [{ operator: 'channels', operand: 'public' }]],
    ['both', [WEB_PUBLIC, { operator: 'channels', operand: 'public' }]],
    ['all but them', [{ ...WEB_PUBLIC, negated: true }]],
    ['a channel alone', [{ operator: 'channel', operand: 'web-public' }]],
    ['what is personal', [WEB_PUBLIC, { operator: 'is', operand: 'starred' }]],
    ['direct messages', [WEB_PUBLIC, { operator: 'dm', operand: [1] }]],
    ['a conversation', [WEB_PUBLIC, { operator: 'with', operand: 1 }]],
  ])('are for accounts with a narrow of %s', async (_, narrow) => {
    expectRefusal(await fetched(narrow), 'UNAUTHORIZED', 401);
  });

  test.each(OTHERS)('of a %s channel are in no narrow', async (name) => {
    const { status, body } = await fetched([WEB_PUBLIC, { operator: 'channel', operand: rooms[name]!.id }]);
    if (status === 200) expect(body.messages).toEqual([]);
    else expect(body.code).toBe('BAD_NARROW');
  });

  test('are fetched one by one', async () => {
    const { message, raw_content } = await ok('GET', `/messages/${rooms['web-public']!.messageId}`);
    expect([message.flags, raw_content]).toEqual([['read'], 'hello web-public']);
    const hidden = await Promise.all(
      [...OTHERS.map((name) => rooms[name]!.messageId), directId, 999_999].map((id) => call('GET', `/messages/${id}`)),
    );
    for (const answer of hidden) expect([answer.status, answer.text]).toEqual([hidden[0]!.status, hidden[0]!.text]);
    expectRefusal(hidden[0]!, 'BAD_REQUEST');
  });
});

test('topics are listed of web-public channels alone', async () => {
  const { topics } = await ok('GET', `/users/me/${rooms['web-public']!.id}/topics`);
  expect(topics).toEqual([{ name: 'topic', max_id: rooms['web-public']!.messageId }]);
  const none = await call('GET', '/users/me/999999/topics');
  for (const name of OTHERS) {
    const answer = await call('GET', `/users/me/${rooms[name]!.id}/topics`);
    expectRefusal(answer, 'BAD_REQUEST');
    expect(answer.text).toBe(none.text);
  }
});

describe('the state', () => {
  test('has web-public channels, and nothing personal', async () => {
    const state = await ok('POST', '/register');
    expect(state).toMatchObject({
      queue_id: null,
      last_event_id: -1,
      user_id: 0,
      is_guest: true,
      is_admin: false,
      presences: {},
      user_status: {},
      realm_allow_message_editing: false,
      realm_presence_disabled: true,
      realm_enable_spectator_access: true,
      max_message_id: -1,
      alert_words: [],
      drafts: [],
      muted_users: [],
      onboarding_steps: [],
      starred_messages: [],
      recent_private_conversations: [],
      saved_snippets: [],
      user_topics: [],
      realm_default_streams: [],
      subscriptions: [],
      unsubscribed: [],
    });
    expect(state.unread_msgs).toMatchObject({ count: 0, pms: [], streams: [], huddles: [], mentions: [] });
    expect(state.streams.map(({ name }: any) => name)).toEqual(['web-public']);
    expect(state.never_subscribed.map(({ name }: any) => name)).toEqual(['web-public']);
  });

  test('names users by name and day', async () => {
    const { realm_users } = await ok('POST', '/register', { fetch_event_types: ['realm_user'] });
    const { members } = await ok('GET', '/users');
    for (const users of [realm_users, members]) {
      const user = users.find(({ user_id }: any) => user_id === ann.userId);
      expect(user).toMatchObject({
        full_name: 'Ann Archer',
        delivery_email: null,
        date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      });
      expect(user).not.toHaveProperty('timezone');
    }
  });

  test.each([
    { client_gravatar: true },
    { client_extavatar: true },
    { include_subscribers: 'true' },
    { include_subscribers: 'partial' },
  ])('is refused with %j', async (parameters) => {
    expectRefusal(await call('POST', '/register', parameters), 'BAD_REQUEST');
  });
});

test('server settings say that there are web-public channels', async () => {
  const { realm_web_public_access_enabled } = await ok('GET', '/server_settings');
  expect(realm_web_public_access_enabled).toBe(true);
  expect((await ok('GET', '/channel_folders')).channel_folders).toEqual([]);
});

test('nothing else is for those without an account', async () => {
  const { id, messageId } = rooms['web-public']!;
  const closed: [string, string, Record<string, unknown>?][] = [
    ['GET', '/streams'],
    ['GET', `/streams/${id}`],
    ['GET', `/streams/${id}/members`],
    ['GET', '/get_stream_id', { stream: 'web-public' }],
    ['GET', '/users/me'],
    ['GET', `/users/${ann.userId}`],
    ['GET', '/users/me/subscriptions'],
    ['GET', `/messages/${messageId}/history`],
    ['GET', `/messages/${messageId}/read_receipts`],
    ['GET', '/messages/matches_narrow', { msg_ids: [messageId], narrow: [WEB_PUBLIC] }],
    ['GET', '/user_groups'],
    ['GET', '/drafts'],
    ['GET', '/events', { queue_id: 'x', last_event_id: -1 }],
    ['POST', '/messages', { type: 'channel', to: id, topic: 't', content: 'x' }],
    ['PATCH', `/messages/${messageId}`, { content: 'x' }],
    ['DELETE', `/messages/${messageId}`],
    ['POST', `/messages/${messageId}/reactions`, { emoji_name: 'tada' }],
    ['POST', '/messages/flags', { messages: [messageId], op: 'add', flag: 'starred' }],
    ['POST', '/users/me/subscriptions', { subscriptions: [{ name: 'web-public' }] }],
    ['POST', '/typing', { type: 'channel', op: 'start', stream_id: id, topic: 't' }],
    ['PATCH', `/streams/${id}`, { description: 'x' }],
    ['DELETE', `/streams/${id}`],
  ];
  for (const [method, path, parameters] of closed) {
    const answer = await call(method, path, parameters);
    expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 401, 'UNAUTHORIZED']);
  }
});

test('credentials that are wrong are no call without any', async () => {
  const headers = { authorization: `Basic ${Buffer.from('nobody@example.test:wrong').toString('base64')}` };
  const answer = await exchange(`${server.url}/api/v1/messages/${rooms['web-public']!.messageId}`, { headers });
  expectRefusal(answer, 'INVALID_API_KEY', 401);
});

test('a channel that is web-public no more is gone', async () => {
  const { id, messageId } = rooms['web-public']!;
  await owner.ok('PATCH', `/streams/${id}`, { is_web_public: false });
  expectRefusal(await call('GET', `/messages/${messageId}`), 'BAD_REQUEST');
  expect((await fetched([WEB_PUBLIC])).body.messages).toEqual([]);
  expect((await ok('POST', '/register')).streams).toEqual([]);
  await owner.ok('PATCH', `/streams/${id}`, { is_web_public: true });
  expect((await fetched([WEB_PUBLIC])).body.messages).toHaveLength(1);
});

test('where the organization does not want it, there is nothing to read', async () => {
  await owner.ok('PATCH', '/realm', { enable_spectator_access: false });
  const { id, messageId } = rooms['web-public']!;
  for (const answer of [
    await call('POST', '/register'),
    await fetched([WEB_PUBLIC]),
    await call('GET', `/messages/${messageId}`),
    await call('GET', `/users/me/${id}/topics`),
    await call('GET', '/users'),
    await call('GET', '/channel_folders'),
  ])
    expectRefusal(answer, 'UNAUTHORIZED', 401);
  expect((await ok('GET', '/server_settings')).realm_web_public_access_enabled).toBe(false);
});
