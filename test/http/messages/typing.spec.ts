import { setTimeout as pause } from 'node:timers/promises';
import { channelId, expectRefusal } from '../../support/answers.js';
import type { Answer, ApiClient, TestQueue } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

/** By then a poll has come to the server, and waits there. */
const HELD_AFTER_MS = 100;
const KNOWS_CHANNELS = { stream_typing_notifications: true };

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let den: number;

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  den = await channelOf('den', ann, ben);
});
afterAll(() => server.stop());

type Parameters = Record<string, unknown>;

const type = (client: ApiClient, parameters: Parameters): Promise<Answer> =>
  client.call('POST', '/typing', { op: 'start', ...parameters });
const edit = (client: ApiClient, id: number | string, parameters: Parameters = {}): Promise<Answer> =>
  client.call('POST', `/messages/${id}/typing`, { op: 'start', ...parameters });
const inDen = (more: Parameters = {}): Parameters => ({ type: 'stream', stream_id: den, topic: 'lunch', ...more });

const listen = (client: ApiClient, capabilities: Parameters = {}): Promise<TestQueue> =>
  client.register({
    event_types: ['typing', 'typing_edit_message', 'message'],
    fetch_event_types: [],
    client_capabilities: capabilities,
  });
const heard = async (queue: TestQueue): Promise<any[]> => (await queue.pending()).map(({ id: _, ...event }) => event);
const person = ({ userId, email }: ApiClient): any => ({ user_id: userId, email });
const people = (...clients: ApiClient[]): any[] => clients.map(person).sort((a, b) => a.user_id - b.user_id);

/** A poll that is held by now: nothing is there for it. */
async function held(queue: TestQueue): Promise<{ readonly answer: Promise<any[]> }> {
  const answer = queue.poll();
  const first = await Promise.race([answer, pause(HELD_AFTER_MS, 'held')]);
  expect(first).toBe('held');
  return { answer };
}

/** What the setting was before comes back when the test is over. */
async function having(client: ApiClient, settings: Parameters, test: () => Promise<void>): Promise<void> {
  await client.ok('PATCH', '/settings', settings);
  try {
    await test();
  } finally {
    const before = Object.entries(settings).map(([name, value]) => [name, value !== true]);
    await client.ok('PATCH', '/settings', Object.fromEntries(before));
  }
}

describe('in a direct conversation', () => {
  const event = (op: string, sender: ApiClient, ...recipients: ApiClient[]): any => ({
    type: 'typing',
    op,
    message_type: 'direct',
    sender: person(sender),
    recipients: people(...recipients),
  });

  test('a waiting poll is answered, and one that comes late is not left out', async () => {
    const [bens, anns, cleos] = [await listen(ben), await listen(ann), await listen(cleo)];
    const { answer } = await held(bens);
    expect((await type(ann, { to: [ben.userId] })).body).toEqual({ result: 'success', msg: '' });
    expect(await answer).toEqual([{ id: expect.any(Number), ...event('start', ann, ann, ben) }]);
    await type(ann, { to: [ben.userId], op: 'stop' });
    expect(await heard(bens)).toEqual([event('stop', ann, ann, ben)]);
    expect(await heard(bens)).toEqual([]);
    expect(await heard(anns)).toEqual([event('start', ann, ann, ben), event('stop', ann, ann, ben)]);
    expect(await heard(cleos)).toEqual([]);
  });

  test('what follows still arrives, once', async () => {
    const bens = await listen(ben);
    await type(ann, { to: [ben.userId] });
    const [{ id: passing }] = (await bens.pending()) as [{ id: number }];
    const id = await ann.sendTo([ben], 'here it is');
    const events = await bens.poll();
    expect(events).toMatchObject([{ type: 'message', message: { id } }]);
    expect(events[0].id).toBeGreaterThan(passing);
  });

  test.each([
    ['a list', () => [ben.userId, cleo.userId]],
    ['a list with oneself', () => [ben.userId, ann.userId, cleo.userId]],
    ['joined by a comma', () => `${ben.userId},${cleo.userId}`],
    ['e-mail addresses', () => [ben.email, cleo.email]],
  ])('of several, given as %s', async (_, to) => {
    const cleos = await listen(cleo);
    expect((await type(ann, { type: 'private', to: to() })).status).toBe(200);
    expect(await heard(cleos)).toEqual([event('start', ann, ann, ben, cleo)]);
  });

  test.each([
    ['a bare ID', () => String(ben.userId)],
    ['a bare address', () => ben.email],
  ])('of two, given as %s', async (_, to) => {
    const bens = await listen(ben);
    expect((await type(ann, { type: 'direct', to: to() })).status).toBe(200);
    expect(await heard(bens)).toEqual([event('start', ann, ann, ben)]);
  });

  test('with oneself', async () => {
    const anns = await listen(ann);
    expect((await type(ann, { to: [ann.userId] })).status).toBe(200);
    expect(await heard(anns)).toEqual([event('start', ann, ann)]);
  });

  test('where sending is refused, typing is refused', async () => {
    const bens = await listen(ben);
    const { realm_user_groups: groups } = (await owner.register({ fetch_event_types: ['realm_user_groups'] })).state;
    const groupId = (name: string): number => groups.find((group: any) => group.name === name).id;
    const restrict = (before: string, after: string): Promise<any> =>
      owner.ok('PATCH', '/realm', { direct_message_permission_group: { new: groupId(after), old: groupId(before) } });
    await restrict('role:everyone', 'role:nobody');
    expectRefusal(await type(ann, { to: [ben.userId] }), 'BAD_REQUEST');
    expect((await type(ann, { to: [ann.userId] })).status).toBe(200);
    expect(await heard(bens)).toEqual([]);
    await restrict('role:nobody', 'role:everyone');
    expect((await type(ann, { to: [ben.userId] })).status).toBe(200);
  });
});

describe('in a channel', () => {
  const event = (topic: string, op = 'start'): any => ({
    type: 'typing',
    op,
    message_type: 'stream',
    sender: person(ann),
    stream_id: den,
    topic,
  });

  test('subscribers are told whose clients ask for it', async () => {
    const [bens, anns] = [await listen(ben, KNOWS_CHANNELS), await listen(ann, KNOWS_CHANNELS)];
    const [old, outside] = [await listen(ben), await listen(cleo, KNOWS_CHANNELS)];
    const { answer } = await held(bens);
    expect((await type(ann, inDen())).body).toEqual({ result: 'success', msg: '' });
    expect(await answer).toEqual([{ id: expect.any(Number), ...event('lunch') }]);
    await type(ann, inDen({ op: 'stop', type: 'channel' }));
    expect(await heard(bens)).toEqual([event('lunch', 'stop')]);
    expect(await heard(anns)).toHaveLength(2);
    expect(await heard(old)).toEqual([]);
    expect(await heard(outside)).toEqual([]);
  });

  test.each(['', ' ', '(no topic)', 'general chat'])('the empty topic, spelled %j', async (topic) => {
    const knowing = await listen(ben, { ...KNOWS_CHANNELS, empty_topic_name: true });
    const old = await listen(ben, KNOWS_CHANNELS);
    expect((await type(ann, inDen({ topic }))).status).toBe(200);
    expect(await heard(knowing)).toEqual([event('')]);
    expect(await heard(old)).toEqual([event('general chat')]);
  });

  test('older clients give the channel as recipient', async () => {
    const bens = await listen(ben, KNOWS_CHANNELS);
    expect((await type(ann, { type: 'stream', to: [den], topic: ' lunch ' })).status).toBe(200);
    expect(await heard(bens)).toEqual([event('lunch')]);
  });

  test('does not reach users who left', async () => {
    await cleo.subscribe('den');
    const cleos = await listen(cleo, KNOWS_CHANNELS);
    await type(ann, inDen());
    expect(await heard(cleos)).toEqual([event('lunch')]);
    await cleo.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['den'] });
    await type(ann, inDen());
    expect(await heard(cleos)).toEqual([]);
  });

  test('where one may not post, one does not type', async () => {
    const bens = await listen(ben, KNOWS_CHANNELS);
    await ben.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'news' }],
      principals: [ann.userId, ben.userId],
      can_send_message_group: { direct_members: [ben.userId], direct_subgroups: [] },
    });
    const stream_id = await channelId(ben, 'news');
    expectRefusal(await type(ann, inDen({ stream_id: undefined, to: [stream_id] })), 'BAD_REQUEST');
    expectRefusal(await type(ann, inDen({ stream_id })), 'BAD_REQUEST');
    expect(await heard(bens)).toEqual([]);
    expect((await type(ben, inDen({ stream_id }))).status).toBe(200);
    expect(await heard(bens)).toMatchObject([{ stream_id }]);
  });

  test('what one may not even know of looks like nothing', async () => {
    const subscriptions = [{ name: 'cellar' }];
    await ben.ok('POST', '/users/me/subscriptions', { subscriptions, invite_only: true, principals: [ben.userId] });
    const stream_id = await channelId(ben, 'cellar');
    const bens = await listen(ben, KNOWS_CHANNELS);
    const unknown = expectRefusal(await type(ann, inDen({ stream_id: 98_765 })), 'BAD_REQUEST');
    expect(expectRefusal(await type(ann, inDen({ stream_id })), 'BAD_REQUEST').msg).toBe(unknown.msg);
    expect(await heard(bens)).toEqual([]);
  });
});

describe('settings of typing notifications', () => {
  test('not to be seen in direct conversations', () =>
    having(ann, { send_private_typing_notifications: false }, async () => {
      const bens = await listen(ben, KNOWS_CHANNELS);
      expectRefusal(await type(ann, { to: [ben.userId] }), 'BAD_REQUEST');
      expectRefusal(await edit(ann, await ann.sendTo([ben], 'x')), 'BAD_REQUEST');
      expect((await heard(bens)).map(({ type }) => type)).toEqual(['message']);
      expect((await type(ann, inDen())).status).toBe(200);
    }));

  test('not to be seen in channels', () =>
    having(ann, { send_stream_typing_notifications: false }, async () => {
      const bens = await listen(ben, KNOWS_CHANNELS);
      expectRefusal(await type(ann, inDen()), 'BAD_REQUEST');
      expectRefusal(await edit(ann, await ann.send('den', 'lunch', 'x')), 'BAD_REQUEST');
      expect((await heard(bens)).map(({ type }) => type)).toEqual(['message']);
      expect((await type(ann, { to: [ben.userId] })).status).toBe(200);
    }));

  test('not to see others', () =>
    having(ben, { receives_typing_notifications: false }, async () => {
      const [bens, anns] = [await listen(ben, KNOWS_CHANNELS), await listen(ann, KNOWS_CHANNELS)];
      await type(ann, inDen());
      await type(ann, { to: [ben.userId] });
      expect(await heard(bens)).toEqual([]);
      expect(await heard(anns)).toHaveLength(2);
    }));
});

describe('changing a message', () => {
  test('in a channel: it reaches the others, with any client capabilities', async () => {
    const id = await ann.send('den', '', 'first');
    const [bens, anns, cleos] = [await listen(ben), await listen(ann), await listen(cleo)];
    const { answer } = await held(bens);
    expect((await edit(ann, id)).body).toEqual({ result: 'success', msg: '' });
    const recipient = { type: 'channel', channel_id: den, topic: 'general chat' };
    const event = { type: 'typing_edit_message', op: 'start', sender_id: ann.userId, message_id: id, recipient };
    expect(await answer).toEqual([{ id: expect.any(Number), ...event }]);
    await edit(ann, id, { op: 'stop' });
    expect(await heard(bens)).toEqual([{ ...event, op: 'stop' }]);
    expect(await heard(anns)).toEqual([]);
    expect(await heard(cleos)).toEqual([]);
  });

  test('in a direct conversation', async () => {
    const id = await ann.sendTo([ben], 'first');
    const bens = await listen(ben);
    await edit(ann, id);
    const recipient = { type: 'direct', user_ids: people(ann, ben).map(({ user_id }) => user_id) };
    const event = { type: 'typing_edit_message', op: 'start', sender_id: ann.userId, message_id: id, recipient };
    expect(await heard(bens)).toEqual([event]);
  });

  test('is for its sender alone', async () => {
    const [shared, hidden] = [await ann.send('den', 'lunch', 'x'), await ann.sendTo([cleo], 'x')];
    expectRefusal(await edit(ben, shared), 'BAD_REQUEST');
    const unknown = expectRefusal(await edit(ben, 987_654), 'BAD_REQUEST');
    expect(expectRefusal(await edit(ben, hidden), 'BAD_REQUEST').msg).toBe(unknown.msg);
    await ann.ok('DELETE', `/messages/${shared}`);
    expect(expectRefusal(await edit(ann, shared), 'BAD_REQUEST').msg).toBe(unknown.msg);
    expectRefusal(await edit(ann, 'x'), 'BAD_REQUEST');
    const own = await ann.send('den', 'lunch', 'x');
    expectRefusal(await edit(ann, own, { op: 'pause' }), 'BAD_REQUEST');
    expect(expectRefusal(await edit(ann, own, { op: undefined }), 'REQUEST_VARIABLE_MISSING').var_name).toBe('op');
  });
});

describe('refusals', () => {
  test.each<[string, () => Parameters, string?]>([
    ['no op', () => ({ to: [ben.userId], op: undefined }), 'REQUEST_VARIABLE_MISSING'],
    ['an unknown op', () => ({ to: [ben.userId], op: 'pause' })],
    ['an unknown type', () => ({ to: [ben.userId], type: 'telepathy' })],
    ['nobody', () => ({})],
    ['an empty list', () => ({ to: [] })],
    ['an empty text', () => ({ to: '' })],
    ['an unknown user', () => ({ to: [98_765] })],
    ['one unknown user among known ones', () => ({ to: [ben.userId, 98_765] })],
    ['an unknown address', () => ({ to: ['nobody@example.test'] })],
    ['IDs and addresses', () => ({ to: [ben.userId, cleo.email] })],
    ['too many users', () => ({ to: Array.from({ length: 201 }, (_, n) => n + 1) })],
    ['a fraction', () => ({ to: [1.5] })],
    ['something else', () => ({ to: { user: 1 } })],
    ['no channel', () => inDen({ stream_id: undefined })],
    ['no channel in an empty list', () => inDen({ stream_id: undefined, to: [] })],
    ['several channels', () => inDen({ stream_id: undefined, to: [den, den] })],
    ['no topic', () => inDen({ topic: undefined })],
    ['a channel that is no number', () => inDen({ stream_id: 'den' }), 'REQUEST_VARIABLE_INVALID'],
    ['a character that no topic has', () => inDen({ topic: 'a\u0000b' })],
  ])('%s', async (_, parameters, code = 'BAD_REQUEST') => {
    const bens = await listen(ben, KNOWS_CHANNELS);
    expectRefusal(await type(ann, parameters()), code);
    expect(await heard(bens)).toEqual([]);
  });
});

test('is kept nowhere', async () => {
  const bens = await listen(ben, KNOWS_CHANNELS);
  await type(ann, inDen());
  await type(ann, { to: [ben.userId] });
  await server.restart();
  expect(await heard(bens)).toEqual([]);
  await type(ann, inDen());
  expect(await heard(bens)).toHaveLength(1);
});
