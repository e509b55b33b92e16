import { applyEvents } from '#testing';
import { channelId, messagesIn, NOTIFICATION_BOT_ID } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let guest: ApiClient;
const ids: Record<string, number> = {};

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  guest = await server.user('Gail Guest');
  await owner.ok('PATCH', `/users/${guest.userId}`, { role: 600 });
  for (const name of ['one', 'two', 'three']) await ann.subscribe(name);
  const secret = { subscriptions: [{ name: 'secret' }], invite_only: true };
  await ann.ok('POST', '/users/me/subscriptions', secret);
  for (const name of ['one', 'two', 'three', 'secret']) ids[name] = await channelId(ann, name);
});
afterAll(() => server.stop());

const all = (): number[] => ['one', 'two', 'three', 'secret'].map((name) => ids[name]!);
const join = (names: readonly string[], ...principals: ApiClient[]): Promise<any> =>
  ann.ok('POST', '/users/me/subscriptions', {
    subscriptions: names.map((name) => ({ name })),
    principals: principals.map(({ userId }) => userId),
  });
const leave = (names: readonly string[], ...principals: ApiClient[]): Promise<any> =>
  ann.ok('DELETE', '/users/me/subscriptions', {
    subscriptions: names,
    principals: principals.map(({ userId }) => userId),
  });
const toldTo = async (queue: TestQueue): Promise<any[]> =>
  (await queue.pending())
    .filter(({ type }) => type === 'subscription' || type === 'stream')
    .map(({ id: _, ...event }) => event);
const peers = (op: string, stream_ids: number[], user_ids: number[]) => ({
  type: 'subscription',
  op,
  stream_ids,
  user_ids,
});
const sorted = (...clients: ApiClient[]): number[] => clients.map(({ userId }) => userId).sort((a, b) => a - b);

test('joining several channels is one event for the users, and one for each other client, of the channels it knows', async () => {
  const stan = await server.user('Stan Stranger');
  const [mine, subscriber, other, guests] = [
    await ben.register({ client_capabilities: { notification_settings_null: true } }),
    await ann.register(),
    await owner.register(),
    await guest.register(),
  ];
  const stranger = await stan.register();
  await join(['one', 'two', 'three', 'secret'], ben, cleo);
  const [created, added, ...rest] = await toldTo(mine);
  expect(rest).toEqual([]);
  expect(created).toMatchObject({ type: 'stream', op: 'create' });
  expect(created.streams.map(({ stream_id }: any) => stream_id)).toEqual([ids['secret']]);
  expect(added).toMatchObject({ type: 'subscription', op: 'add' });
  expect(added.subscriptions.map(({ stream_id }: any) => stream_id)).toEqual(all());
  expect(new Set(added.subscriptions.map(({ color }: any) => color)).size).toBe(4);
  const users = sorted(ben, cleo);
  expect(await toldTo(subscriber)).toEqual([peers('peer_add', all(), users)]);
  expect(await toldTo(other)).toEqual([peers('peer_add', all(), users)]);
  expect(await toldTo(stranger)).toEqual([peers('peer_add', all().slice(0, 3), users)]);
  expect(await toldTo(guests)).toEqual([]);
});

test('those who joined fewer of the channels are told of apart', async () => {
  await leave(['two'], ben);
  const queue = await ann.register();
  await join(['one', 'two', 'three'], ben, guest);
  expect(await toldTo(queue)).toEqual([
    peers('peer_add', [ids['one']!, ids['three']!], [guest.userId]),
    peers('peer_add', [ids['two']!], sorted(ben, guest)),
  ]);
});

test('a guest is told of the channels that it is in', async () => {
  await leave(['three'], guest);
  const other = await server.user('Olga Other');
  const queue = await guest.register();
  await join(['one', 'two', 'three'], other);
  expect(await toldTo(queue)).toEqual([peers('peer_add', [ids['one']!, ids['two']!], [other.userId])]);
});

test('leaving several channels is one event, and what was unread there is read', async () => {
  await ann.send('one', 'a topic', 'unread');
  await ann.send('secret', 'a topic', 'unread');
  const [mine, subscriber, other] = [await ben.register(), await ann.register(), await guest.register()];
  expect(mine.state.unread_msgs.streams).toHaveLength(2);
  const { removed } = await leave(['one', 'two', 'secret'], ben);
  expect(removed).toEqual(['one', 'two', 'secret']);
  const left = [ids['one']!, ids['two']!, ids['secret']!];
  expect(await toldTo(mine)).toEqual([
    {
      type: 'subscription',
      op: 'remove',
      subscriptions: ['one', 'two', 'secret'].map((name) => ({ name, stream_id: ids[name] })),
    },
    { type: 'stream', op: 'delete', stream_ids: [ids['secret']], streams: [{ stream_id: ids['secret'] }] },
  ]);
  expect(await toldTo(subscriber)).toEqual([peers('peer_remove', left, [ben.userId])]);
  expect(await toldTo(other)).toEqual([peers('peer_remove', left.slice(0, 2), [ben.userId])]);
  expect((await ben.register()).state.unread_msgs.streams).toEqual([]);
  await join(['one'], ben);
  const flags = (await messagesIn(ben, [['channel', 'one']])).at(-1).flags;
  expect(flags).toContain('read');
});

test('those who leave together are told of each other, where they still know the channel', async () => {
  await join(['one', 'secret'], ben, cleo);
  const [mine, others] = [await ben.register({ include_subscribers: 'true' }), await cleo.register()];
  await leave(['one', 'secret'], ben, cleo);
  const told = await toldTo(mine);
  expect(told.filter(({ op }) => op === 'peer_remove')).toEqual([peers('peer_remove', [ids['one']!], [cleo.userId])]);
  expect((await toldTo(others)).filter(({ op }) => op === 'peer_remove')).toEqual([
    peers('peer_remove', [ids['one']!], [ben.userId]),
  ]);
  const known = applyEvents(mine.state, told);
  const fresh = (await ben.register({ include_subscribers: 'true' })).state;
  for (const list of ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'])
    expect(known[list]).toEqual(fresh[list]);
  await join(['one', 'two', 'three', 'secret'], ben, cleo);
});

test('one who is deactivated leaves all channels in one event, and comes back in one', async () => {
  const queue = await ann.register();
  await owner.ok('DELETE', `/users/${cleo.userId}`);
  const { subscriptions } = (await ann.register()).state;
  expect(subscriptions.map(({ name }: any) => name)).toEqual(expect.arrayContaining(['one', 'two']));
  const [gone, ...more] = (await toldTo(queue)).filter(({ op }) => op === 'peer_remove');
  expect(more).toEqual([]);
  expect(gone.user_ids).toEqual([cleo.userId]);
  expect(gone.stream_ids).toEqual(expect.arrayContaining(all()));
  await owner.ok('POST', `/users/${cleo.userId}/reactivate`);
  expect(await toldTo(queue)).toEqual([{ ...gone, op: 'peer_add' }]);
});

test('a new account joins its default channels in one event', async () => {
  for (const name of ['two', 'three']) await owner.ok('POST', '/default_streams', { stream_id: ids[name] });
  const queue = await ann.register();
  const { userId } = await server.user('Nell New');
  const [joined, ...more] = (await toldTo(queue)).filter(({ op }) => op === 'peer_add');
  expect(more).toEqual([]);
  expect(joined.user_ids).toEqual([userId]);
  expect(joined.stream_ids).toEqual(expect.arrayContaining([ids['two'], ids['three']]));
});

test('a user who was subscribed to several channels by somebody is told of them in one message', async () => {
  const nora = await server.user('Nora New');
  const body = await join(['one', 'secret', 'fresh'], nora);
  expect(body.new_subscription_messages_sent).toBe(true);
  const told = (
    await messagesIn(nora, [
      ['is', 'dm'],
      ['sender', NOTIFICATION_BOT_ID],
    ])
  ).map(({ content }) => content);
  expect(told).toEqual([expect.stringMatching(/subscribed you to the following channels: .*one.*secret/)]);
  expect(told[0]).not.toContain('fresh');
  for (const name of ['one', 'secret']) expect(told[0]).toContain(`data-stream-id="${ids[name]}"`);
});

test('who is late is told nothing of a channel from before they could know it', async () => {
  const [late, lateGuest] = [await cleo.register(), await guest.register()];
  await ann.ok('POST', '/channels/create', { name: 'den', subscribers: [ann.userId], invite_only: true });
  const den = await channelId(ann, 'den');
  await ann.ok('PATCH', `/streams/${den}`, { description: 'for two' });
  await join(['den'], ben);
  expect(await toldTo(late)).toEqual([]);
  await ann.ok('PATCH', `/streams/${den}`, { description: 'for three' });
  await join(['den'], cleo, guest);
  await ann.ok('PATCH', `/streams/${den}`, { new_name: 'the den' });
  for (const queue of [late, lateGuest]) {
    expect((await toldTo(queue)).map(({ type, op, property }) => [type, op, property])).toEqual([
      ['stream', 'create', undefined],
      ['subscription', 'add', undefined],
      ['stream', 'update', 'name'],
    ]);
  }
});

test('of a channel that is archived by then, older clients are told no subscribers', async () => {
  const holder = { direct_members: [cleo.userId], direct_subgroups: [] };
  await ann.ok('POST', '/channels/create', { name: 'attic', subscribers: [ann.userId, ben.userId], invite_only: true });
  const attic = await channelId(ann, 'attic');
  const [older, modern] = [
    await cleo.register(),
    await cleo.register({ client_capabilities: { archived_channels: true } }),
  ];
  await ann.ok('PATCH', `/streams/${attic}`, { can_subscribe_group: { new: holder } });
  await ann.ok('DELETE', `/streams/${attic}`);
  expect((await toldTo(older)).filter(({ op }) => op !== 'delete')).toEqual([]);
  expect((await toldTo(modern)).slice(0, 2)).toMatchObject([
    { type: 'stream', op: 'create' },
    peers('peer_add', [attic], sorted(ann, ben)),
  ]);
});

test('a channel that was archived, and then left, vanishes for older clients that are late', async () => {
  await ann.ok('POST', '/channels/create', {
    name: 'cellar',
    subscribers: [ann.userId, cleo.userId],
    invite_only: true,
  });
  const cellar = await channelId(ann, 'cellar');
  const late = await cleo.register();
  await ann.ok('DELETE', `/streams/${cellar}`);
  await leave(['cellar'], cleo);
  expect(await toldTo(late)).toEqual([
    { type: 'stream', op: 'delete', stream_ids: [cellar], streams: [{ stream_id: cellar }] },
  ]);
});

test('who knew a channel for a while is not told later who was subscribed to it', async () => {
  const holder = { direct_members: [cleo.userId], direct_subgroups: [] };
  await ann.ok('POST', '/channels/create', { name: 'loft', subscribers: [ann.userId, ben.userId], invite_only: true });
  const loft = await channelId(ann, 'loft');
  const late = await cleo.register();
  await ann.ok('PATCH', `/streams/${loft}`, { can_subscribe_group: { new: holder } });
  await ann.ok('PATCH', `/streams/${loft}`, { can_subscribe_group: { new: 8 } });
  expect((await toldTo(late)).filter(({ op }) => op !== 'delete')).toEqual([]);
});
