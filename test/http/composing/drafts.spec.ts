/** Drafts (endpoints.md §6). */
import { applyEvents, comparable } from '#testing';
import { expectRefusal, idsOf } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';

let cast: Cast;
let ann: ApiClient, ben: ApiClient, cleo: ApiClient;
let lunch: number;
let hidden: number;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ ann, ben, cleo } = cast);
  lunch = await channelOf('Lunch', ann, ben);
  await ben.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'hidden' }], invite_only: true });
  const { subscriptions } = await ben.ok('GET', '/users/me/subscriptions');
  hidden = subscriptions.find(({ name }: any) => name === 'hidden').stream_id;
});
afterAll(() => cast.server.stop());
afterEach(async () => {
  for (const client of [ann, ben]) for (const { id } of await list(client)) await client.ok('DELETE', `/drafts/${id}`);
});

const list = async (client = ann): Promise<any[]> => (await client.ok('GET', '/drafts')).drafts;
const add = async (drafts: object[], client = ann): Promise<number[]> =>
  (await client.ok('POST', '/drafts', { drafts })).ids;
const nobody = (content: string, timestamp?: number) => ({ type: '', to: [], topic: '', content, timestamp });
const eventOf = ({ id: _, ...event }: any): any => event;

test('those of each kind are kept as messages would be, the newest edit first', async () => {
  const before = Math.floor(Date.now() / 1000);
  const ids = await add([
    { type: 'stream', to: [lunch], topic: ' soup ', content: '\nhot  \n' },
    {
      type: 'private',
      to: [cleo.userId, ben.userId, ann.userId, ben.userId],
      topic: 'ignored',
      content: 'hi',
      timestamp: 5,
    },
    { type: 'private', to: [ann.userId], topic: '', content: 'note', timestamp: 7.9 },
    { type: 'private', to: [], topic: '', content: 'to nobody', timestamp: 6 },
    { type: '', to: [lunch], topic: 'ignored', content: 'empty', timestamp: 7 },
  ]);
  expect(ids).toEqual([0, 1, 2, 3, 4].map((offset) => ids[0]! + offset));
  const [soup, direct, note, toNobody, empty] = ids;
  const answer = await ann.ok('GET', '/drafts');
  expect(answer).toMatchObject({ count: 5 });
  expect(answer.drafts).toEqual([
    { id: soup, type: 'stream', to: [lunch], topic: 'soup', content: 'hot', timestamp: expect.any(Number) },
    { id: empty, type: '', to: [], topic: '', content: 'empty', timestamp: 7 },
    { id: note, type: 'private', to: [ann.userId], topic: '', content: 'note', timestamp: 7 },
    { id: toNobody, type: '', to: [], topic: '', content: 'to nobody', timestamp: 6 },
    { id: direct, type: 'private', to: [ben.userId, cleo.userId], topic: '', content: 'hi', timestamp: 5 },
  ]);
  expect(answer.drafts[0].timestamp).toBeGreaterThanOrEqual(before);
  expect(answer.drafts[0].timestamp).toBeLessThanOrEqual(Date.now() / 1000);
  expect(await list(ben)).toEqual([]);
});

test('change, go, and survive a restart and the loss of read models', async () => {
  const [one, two] = await add([nobody('one', 10), nobody('two', 20)]);
  await ann.ok('PATCH', `/drafts/${one}`, {
    draft: { type: 'stream', to: [lunch], topic: 'stew', content: 'three', timestamp: 30 },
  });
  const changed = { id: one, type: 'stream', to: [lunch], topic: 'stew', content: 'three', timestamp: 30 };
  expect(await list()).toEqual([changed, { id: two, ...nobody('two', 20) }]);
  await ann.ok('DELETE', `/drafts/${two}`);
  expect(await list()).toEqual([changed]);
  await cast.server.restart(() => cast.server.forgetReadModels());
  expect(await list()).toEqual([changed]);
  expect(await add([nobody('four')])).toEqual([two! + 1]);
});

test('reach all clients of their owner, and no others', async () => {
  const queues = [await ann.register(), await ann.register({ event_types: ['drafts'], fetch_event_types: ['drafts'] })];
  const others = await ben.register();
  const [one, two] = await add([nobody('one', 10), nobody('two', 20)]);
  const draft = { type: 'private', to: [ben.userId], topic: '', content: 'three', timestamp: 30 };
  await ann.ok('PATCH', `/drafts/${one}`, { draft });
  await ann.ok('DELETE', `/drafts/${two}`);
  for (const queue of queues) {
    const events = await queue.pending();
    expect(events.map(eventOf)).toEqual([
      {
        type: 'drafts',
        op: 'add',
        drafts: [
          { id: one, ...nobody('one', 10) },
          { id: two, ...nobody('two', 20) },
        ],
      },
      { type: 'drafts', op: 'update', draft: { id: one, ...draft } },
      { type: 'drafts', op: 'remove', draft_id: two },
    ]);
    const { drafts } = (await ann.register({ fetch_event_types: ['drafts'] })).state;
    expect(drafts).toEqual([{ id: one, ...draft }]);
    expect(applyEvents(queue.state, events)['drafts']).toEqual(drafts);
  }
  expect(await others.pending()).toEqual([]);
  expect(others.state.drafts).toEqual([]);
});

test('no drafts at all are a success', async () => {
  const queue = await ann.register({ event_types: ['drafts'] });
  expect(await add([])).toEqual([]);
  expect((await ann.ok('POST', '/drafts')).ids).toEqual([]);
  expect(await queue.pending()).toEqual([]);
});

describe('refused', () => {
  const GOOD = nobody('fine');
  const stream = (...to: unknown[]) => ({ type: 'stream', to, topic: 'soup', content: 'hot' });
  const direct = (...to: unknown[]) => ({ type: 'private', to, topic: '', content: 'hi' });
  const BAD: [string, () => unknown, RegExp][] = [
    ['a channel draft to nobody', () => stream(), /exactly 1 channel ID/],
    ['a channel draft to two channels', () => stream(lunch, lunch), /exactly 1 channel ID/],
    ['an unknown channel', () => stream(99999), /^Invalid channel ID$/],
    ['a channel out of sight', () => stream(hidden), /^Invalid channel ID$/],
    ['an unknown user', () => direct(ben.userId, 99999), /^Invalid user ID 99999$/],
    ['too many users', () => direct(...Array.from({ length: 201 }, (_, id) => id)), /draft/],
    ['a user by name', () => direct('ben'), /draft/],
    ['an unknown type', () => ({ ...GOOD, type: 'channel' }), /draft/],
    ['no type', () => ({ ...GOOD, type: undefined }), /draft/],
    ['no content', () => ({ ...GOOD, content: undefined }), /draft/],
    ['an unknown field', () => ({ ...GOOD, id: 4 }), /draft/],
    ['blank content', () => ({ ...GOOD, content: ' \n ' }), /must not be empty/],
    ['content with NUL', () => ({ ...GOOD, content: 'a\0b' }), /null bytes/],
    ['a topic with NUL', () => ({ ...stream(lunch), topic: 'a\0b' }), /Invalid character in topic/],
    ['an ignored topic with NUL', () => ({ ...GOOD, topic: 'a\0b' }), /^Topic must not contain null bytes$/],
    ['an ignored topic with NUL in a direct one', () => ({ ...direct(ben.userId), topic: '\0' }), /null bytes/],
    ['a negative timestamp', () => ({ ...GOOD, timestamp: -1 }), /must not be negative/],
    ['a timestamp beyond all years', () => ({ ...GOOD, timestamp: 1e15 }), /draft/],
    ['a list', () => [], /draft/],
  ];

  test.each(BAD)('%s: nothing is added, changed or told', async (_, bad, words) => {
    const [id] = await add([nobody('before', 10)]);
    const queue = await ann.register({ event_types: ['drafts'] });
    const refusals = [
      await ann.call('POST', '/drafts', { drafts: [GOOD, bad()] }),
      await ann.call('PATCH', `/drafts/${id}`, { draft: bad() }),
    ];
    for (const refusal of refusals) expect(expectRefusal(refusal, 'BAD_REQUEST').msg).toMatch(words);
    expect(await list()).toEqual([{ id, ...nobody('before', 10) }]);
    expect(await queue.pending()).toEqual([]);
  });

  test('a surrogate without its other half, and what is no JSON', async () => {
    for (const drafts of ['[{"type":"","to":[],"topic":"","content":"\\ud800"}]', '[{', 'x'])
      expectRefusal(await ann.call('POST', '/drafts', { drafts }), 'REQUEST_VARIABLE_INVALID');
    expectRefusal(await ann.call('PATCH', '/drafts/1'), 'REQUEST_VARIABLE_MISSING');
    expect(await list()).toEqual([]);
  });

  test('what one does not own, and what is not there, alike', async () => {
    const [id] = await add([nobody('mine')], ben);
    const draft = nobody('theirs');
    for (const path of [
      `/drafts/${id}`,
      ...['99999', '0', '-1', 'x', '1.5', '9'.repeat(20)].map((no) => `/drafts/${no}`),
    ]) {
      for (const answer of [await cleo.call('PATCH', path, { draft }), await cleo.call('DELETE', path)])
        expect(expectRefusal(answer, 'BAD_REQUEST', 404).msg).toBe('Draft does not exist');
    }
    expect(await list(ben)).toMatchObject([{ id, content: 'mine' }]);
    await ben.ok('DELETE', `/drafts/${id}`);
    expectRefusal(await ben.call('DELETE', `/drafts/${id}`), 'BAD_REQUEST', 404);
  });

  test('10,000 at once, one beyond 1,000, and more than 2 MiB', async () => {
    const many = (count: number): object[] => Array.from({ length: count }, (_, index) => nobody(`${index}`, index));
    const tooMany = expectRefusal(await ann.call('POST', '/drafts', { drafts: many(10_000) }), 'BAD_REQUEST');
    expect(tooMany.msg).toBe('drafts has too many items (limit: 1000)');
    const ids = await add(many(999));
    expect(expectRefusal(await ann.call('POST', '/drafts', { drafts: many(2) }), 'BAD_REQUEST').msg).toMatch(/1000/);
    await add(many(1));
    expect(idsOf(await list()).slice(0, 998)).toEqual(ids.toReversed().slice(0, 998));
    expect((await ann.register({ fetch_event_types: ['drafts'] })).state.drafts).toHaveLength(1000);
    await ann.ok('PATCH', '/settings', { enable_drafts_synchronization: false });
    await ann.ok('PATCH', '/settings', { enable_drafts_synchronization: true });

    const large = Array.from({ length: 50 }, () => nobody('x'.repeat(10_000)));
    for (let count = 0; count < 4; count++) await add(large);
    expect(expectRefusal(await ann.call('POST', '/drafts', { drafts: large }), 'BAD_REQUEST').msg).toMatch(
      /2097152 bytes/,
    );
    expect(await list()).toHaveLength(200);
    await ann.ok('PATCH', '/settings', { enable_drafts_synchronization: false });
    await ann.ok('PATCH', '/settings', { enable_drafts_synchronization: true });
  });
});

test('turning synchronization off refuses all of it and erases what there is', async () => {
  const [id] = await add([nobody('one', 10)]);
  const followed = await Promise.all([
    ann.register({ client_capabilities: { user_settings_object: true } }),
    ann.register(),
  ]);
  await add([nobody('never told')]);
  await ann.ok('PATCH', '/settings', { enable_drafts_synchronization: false });
  const answers = [
    await ann.call('GET', '/drafts'),
    await ann.call('POST', '/drafts', { drafts: [nobody('two')] }),
    await ann.call('POST', '/drafts'),
    await ann.call('PATCH', `/drafts/${id}`, { draft: nobody('two') }),
    await ann.call('DELETE', `/drafts/${id}`),
    await ann.call('DELETE', '/drafts/99999'),
  ];
  for (const answer of answers) expect(expectRefusal(answer, 'BAD_REQUEST').msg).toMatch(/turned off/);
  for (const [index, queue] of followed.entries()) {
    const events = await queue.pending();
    expect(events.filter(({ type }) => type === 'drafts')).toEqual([]);
    const parameters = [{ client_capabilities: { user_settings_object: true } }, {}][index];
    const now = (await ann.register(parameters)).state;
    expect(now.drafts).toEqual([]);
    expect(comparable(applyEvents(queue.state, events))).toEqual(comparable(now));
  }
  await ann.ok('PATCH', '/settings', { enable_drafts_synchronization: true });
  expect(await list()).toEqual([]);
  expect(await add([nobody('again')])).toEqual([id! + 2]);
});
