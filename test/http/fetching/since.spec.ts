/** What happened while somebody was away, in one answer. */
import { expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { standingAt as at } from '../../support/later.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let hall: number;
let left: number;
const QUIET = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  hall = await channelOf('hall', ann, ben, owner);
});
afterAll(() => server.stop());

const edit = (client: ApiClient, id: number, changes: object): Promise<unknown> =>
  client.ok('PATCH', `/messages/${id}`, { ...QUIET, ...changes });
const since = (client: ApiClient, time = left): Promise<any> => client.ok('GET', '/past/since', { time });

test('an absence is told by conversation, with mentions, moves, edits and reactions', async () => {
  const begun = Math.floor(Date.now() / 1000) + 100;
  const ids = { mine: 0, old: 0, moved: 0 };
  await at(begun, async () => {
    ids.mine = await ann.send('hall', 'release', 'mine');
    ids.old = await ben.send('hall', 'release', 'old');
    ids.moved = await ann.send('hall', 'wrong place', 'to be moved');
    await ben.ok('POST', `/messages/${ids.mine}/reactions`, { emoji_name: 'tada' });
  });
  left = begun + 100;
  const news: number[] = [];
  await at(left + 10, async () => {
    news.push(await ben.send('hall', 'release', 'news'));
    news.push(await ben.send('hall', 'release', '@**Ann Archer** look'));
    await ann.send('hall', 'release', 'my own');
    await ben.sendTo([ann], 'in private');
    await ben.sendTo([cleo], 'not for ann');
    await edit(ben, ids.old, { content: 'old, changed' });
    await edit(owner, ids.moved, { topic: 'right place' });
    await ben.ok('POST', `/messages/${ids.mine}/reactions`, { emoji_name: 'heart' });
    await ben.ok('POST', `/messages/${ids.old}/reactions`, { emoji_name: 'heart' });
    await owner.ok('POST', `/messages/${ids.mine}/reactions`, { emoji_name: 'tada' });
    await owner.ok('DELETE', `/messages/${ids.mine}/reactions`, { emoji_name: 'tada' });
    const gone = await ben.send('hall', 'gone', 'to be deleted');
    await owner.ok('DELETE', `/messages/${gone}`);
    await edit(ben, ids.old, { topic: '✔ release', propagate_mode: 'change_all' });
  });
  const told = await at(left + 20, () => since(ann));
  const of = (topic: string): any => told.conversations.find((one: any) => one.topic === topic);
  // The notice of the resolution is one of them.
  expect(of('✔ release')).toMatchObject({
    stream_id: hall,
    sent: 3,
    first_id: news[0],
    edited_ids: [ids.old],
    moved_in: 0,
    resolved_by: ben.userId,
  });
  expect(of('✔ release').sender_ids).toContain(ben.userId);
  expect(of('gone')).toMatchObject({ sent: 0, deleted: 1 });
  expect(of('wrong place')).toMatchObject({ moved_out: 1 });
  expect(of('right place')).toMatchObject({ moved_in: 1, sent: 0 });
  expect(told.conversations.filter(({ user_ids }: any) => user_ids !== undefined)).toMatchObject([
    { user_ids: [ann.userId, ben.userId].sort((a, b) => a - b), sent: 1 },
  ]);
  expect(told.mentions).toEqual([{ message_id: news[1], sender_id: ben.userId, stream_id: hall, topic: '✔ release' }]);
  expect(told.reactions).toMatchObject([{ message_id: ids.mine, user_id: ben.userId, emoji_name: 'heart' }]);
  expect(told).toMatchObject({ reaction_count: 1, moved_mine: 1, more_conversations: 0, is_cut: false });
  expect(told.until).toBe(left + 20);

  // Who did it all hears of nothing of their own, and who takes no part of nothing at all.
  const his = await at(left + 20, () => since(ben));
  expect(his.mentions).toEqual([]);
  expect(his.reactions).toEqual([]);
  expect((await at(left + 20, () => since(cleo))).conversations).toMatchObject([
    { sent: 1, user_ids: expect.anything() },
  ]);
  expect((await at(left + 20, () => since(ann, left + 20))).conversations).toEqual([]);
});

test('rights are those of today', async () => {
  const subscriptions = [{ name: 'den' }];
  const principals = [ann.userId, ben.userId, cleo.userId];
  const protectedHistory = { invite_only: true, history_public_to_subscribers: false };
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions, principals, ...protectedHistory });
  const begun = Math.floor(Date.now() / 1000) + 1000;
  await at(begun, async () => {
    const id = await ann.send('den', 'secret', 'one');
    await edit(ann, id, { content: '@**Ben Baker** two' });
    await ann.ok('POST', `/messages/${await ben.send('den', 'secret', 'his')}/reactions`, { emoji_name: 'tada' });
    await ben.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['den'] });
    await ann.send('den', 'later', 'three');
    await cleo.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['den'] });
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions, principals: [cleo.userId] });
  });
  const texts = async (client: ApiClient): Promise<string[]> => {
    const { conversations, mentions, reactions } = await at(begun + 1, () => since(client, begun - 1));
    return [
      ...conversations.flatMap(({ stream_id, topic }: any) =>
        stream_id === undefined || stream_id === hall ? [] : [topic],
      ),
      ...mentions.map(() => 'mention'),
      ...reactions.map(() => 'reaction'),
    ];
  };
  expect(await texts(ben)).toEqual([]);
  expect(await texts(cleo)).toEqual(['later', 'secret']);
  // The owner made it for others, and takes no part.
  expect(await texts(owner)).toEqual([]);
});

test('where messages were before they came to readers is told to those alone who were there', async () => {
  const private_ = { invite_only: true, history_public_to_subscribers: true };
  const [subscriptions, principals] = [[{ name: 'vault' }], [owner.userId, ben.userId]];
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions, principals, ...private_ });
  const begun = Math.floor(Date.now() / 1000) + 2000;
  const topics = async (client: ApiClient): Promise<string[]> => {
    const { conversations } = await at(begun + 1, () => since(client, begun - 1));
    return conversations.map(({ topic = '' }: any) => topic).filter((topic: string) => /plot|public/.test(topic));
  };
  await at(begun, async () => {
    const id = await ben.send('vault', 'plot', 'we leave at noon');
    await edit(owner, id, { topic: '✔ plot', propagate_mode: 'change_all' });
    await edit(owner, id, { stream_id: hall, topic: 'public' });
  });
  expect(await topics(ben)).toEqual(expect.arrayContaining(['✔ plot', 'public']));
  expect(await topics(ann)).toEqual(['public']);
  // Nor to who comes there later.
  await at(begun, () => owner.ok('POST', '/users/me/subscriptions', { subscriptions, principals: [ann.userId] }));
  expect(await topics(ann)).toEqual(['public']);
});

test('all that is later is told, and nothing else, also where clocks of processes differ, however much comes later', async () => {
  const begun = Math.floor(Date.now() / 1000) + 3000;
  const times = new Map<number, number>();
  const act = async (seconds: number): Promise<void> => {
    const id = await at(begun + seconds, () => ben.send('hall', 'clocks', 'one'));
    await at(begun + seconds, () => edit(ben, id, { content: '@**Ann Archer** two' }));
    times.set(id, seconds);
  };
  const idsLater = (than: number): number[] => [...times].filter(([, seconds]) => seconds > than).map(([id]) => id);
  for (const seconds of [10, 12, 11, 13, 11, 12, 12]) await act(seconds);
  for (let more = 0; more < 5; more++) {
    for (const than of [9, 10, 11, 12]) {
      const told = await at(begun + 40, () => since(ann, begun + than));
      const [topic] = told.conversations.filter((one: any) => one.topic === 'clocks');
      const ids = idsLater(than);
      expect(topic).toMatchObject({ sent: ids.length, first_id: ids[0], edited_ids: ids });
      expect(told.mentions.map(({ message_id: id }: any) => id).reverse()).toEqual(ids);
    }
    await act(20 + more);
  }
});

test('what is too long ago, or not yet, is refused', async () => {
  const now = Math.floor(Date.now() / 1000);
  expectRefusal(await ann.call('GET', '/past/since', { time: now - 7 * 86_400 - 60 }), 'TOO_LONG_AGO');
  expectRefusal(await ann.call('GET', '/past/since', { time: now + 100_000 }), 'BAD_REQUEST');
  expect((await ann.call('GET', '/past/since', {})).status).toBe(400);
  expect((await since(ann, now - 7 * 86_400 + 60)).conversations.length).toBeGreaterThan(0);
});
