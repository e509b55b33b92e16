import type { DirectorySnapshot } from '#directory';
import type { EventStore } from '#event-store';
import { Directory, type Subscription } from '#organization';
import { MemoryKeyValueStore, sampleUser } from '#testing';
import { DirectorySnapshots, type Marks } from './directory-snapshots.js';

const AT = { checkpoint: 'c', position: 7 };
const NO_MARKS: Marks = { organization: null, messages: null };
/** Without marks, the log is not read. */
const UNASKED = undefined as never as EventStore;
/** More than fit into a part. */
const USERS = 600;

let side: MemoryKeyValueStore;
let snapshots: DirectorySnapshots;
let snapshot: DirectorySnapshot;
beforeEach(() => {
  side = new MemoryKeyValueStore();
  const directory = new Directory();
  snapshots = new DirectorySnapshots(side, UNASKED, directory);
  const users = Array.from({ length: USERS }, (_, index) => sampleUser(index + 1));
  directory.restore({ ...directory.snapshot(), position: 7, users, directs: [[[1, 2], 3]] });
  const apply = (type: string, data: object): void => directory.evolve({ type, data: { by: 1, at: 1, ...data } }, 5);
  for (const channelId of [1, 2])
    apply('channel.subscribed.v1', {
      channelId,
      subscribers: users.map(({ userId }) => ({ userId, color: '#aaaaaa' })),
    });
  apply('channel.unsubscribed.v1', { channelId: 2, userIds: [3, 4] });
  apply('subscription.settings-changed.v1', {
    userId: 5,
    changes: [{ channelId: 1, setting: 'is_muted', value: true }],
  });
  const everybody = users.map(({ userId }) => userId);
  const group = { name: 'everybody', description: '', userIds: everybody, subgroupIds: [], permissions: {} };
  apply('group.created.v1', { groupId: 1, ...group });
  snapshot = directory.snapshot();
});

async function restored(): Promise<DirectorySnapshot | undefined> {
  const directory = new Directory();
  const found = await new DirectorySnapshots(side, UNASKED, directory).restore(10);
  return found === undefined ? undefined : directory.snapshot();
}

test('a directory is restored as it was saved', async () => {
  await snapshots.save(snapshot, AT, NO_MARKS);
  expect(await restored()).toEqual(snapshot);
  const directory = new Directory();
  await new DirectorySnapshots(side, UNASKED, directory).restore(10);
  expect([directory.subscriberCount(1), directory.subscriberCount(2)]).toEqual([USERS, USERS - 2]);
  expect(directory.isSubscribed(4, 2)).toBe(false);
});

test('one that an earlier release saved is restored, with each subscription as a record', async () => {
  await snapshots.save(snapshot, AT, NO_MARKS);
  const head = (await side.get('snapshots', 'directory-a'))!;
  const subscriptions = snapshot['subscriptions'] as readonly Subscription[];
  for (let number = 0; number < (head['parts'] as number); number++) {
    const part = (await side.get('snapshots', `directory-a-${number}`))!;
    if (part['list'] !== 'subscriptions') continue;
    const records = subscriptions.slice(0, 250);
    await side.put('snapshots', `directory-a-${number}`, { ...part, records: records as never });
    snapshot = { ...snapshot, subscriptions: [...records] };
    await side.put('snapshots', 'directory-a', { ...head, version: 3, parts: number + 1 });
    break;
  }
  expect((await restored())?.['subscriptions']).toEqual(snapshot['subscriptions']);
});

test('one that an earlier release saved is restored, with the members of groups as a list', async () => {
  await snapshots.save(snapshot, AT, NO_MARKS);
  const head = (await side.get('snapshots', 'directory-a'))!;
  for (let number = 0; number < (head['parts'] as number); number++) {
    const part = (await side.get('snapshots', `directory-a-${number}`))!;
    if (part['list'] !== 'groups') continue;
    expect(JSON.stringify(part).length).toBeLessThan(USERS);
    const directMembers = Array.from({ length: USERS }, (_, index) => index + 1);
    const records = (snapshot['groups'] as readonly object[]).map((group) => ({ ...group, directMembers }));
    await side.put('snapshots', `directory-a-${number}`, { ...part, records });
  }
  await side.put('snapshots', 'directory-a', { ...head, version: 4 });
  expect(await restored()).toEqual(snapshot);
});

test('one that is not whole is passed over for the one before', async () => {
  await snapshots.save(snapshot, AT, NO_MARKS);
  await snapshots.save({ ...snapshot, position: 8 }, { ...AT, position: 8 }, NO_MARKS);
  expect((await restored())?.position).toBe(8);
  await side.remove('snapshots', 'directory-b-1');
  expect((await restored())?.position).toBe(7);
});
