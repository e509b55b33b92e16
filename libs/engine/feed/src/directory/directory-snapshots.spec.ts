import type { DirectorySnapshot } from '#directory';
import { DamagedRecord, type EventStore, type ReadAllOptions, type ReadStreamOptions } from '#event-store';
import { Directory } from '#people';
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

test('one that an earlier release saved is not read', async () => {
  await snapshots.save(snapshot, AT, NO_MARKS);
  const head = (await side.get('snapshots', 'directory-a'))!;
  await side.put('snapshots', 'directory-a', { ...head, version: 5 });
  expect(await restored()).toBeUndefined();
});

test('lists are stored in pieces, as their parts pack them', async () => {
  await snapshots.save(snapshot, AT, NO_MARKS);
  const head = (await side.get('snapshots', 'directory-a'))!;
  expect(Object.keys(head['rest'] as object)).not.toContain('users');
  const pieces = await Promise.all(
    Array.from({ length: head['parts'] as number }, (_, number) => side.get('snapshots', `directory-a-${number}`)),
  );
  const of = (list: string) => pieces.filter((piece) => piece?.['list'] === list);
  expect(['users', 'subscriptions', 'groups'].map((list) => of(list).length)).toEqual([3, 5, 1]);
  expect(JSON.stringify(of('groups')).length).toBeLessThan(USERS);
});

test('a damaged mark is passed where its stream goes on, and not at its end', async () => {
  await snapshots.save(snapshot, AT, { organization: { revision: 1, id: 'b' }, messages: null });
  const read: (string | undefined)[] = [];
  const restoredFrom = (revisions: number): Promise<unknown> => {
    const store = {
      readStream: async (_: string, { from = 0 }: ReadStreamOptions) => {
        if (from === 1) throw new DamagedRecord(2, 'it is damaged');
        return from < revisions ? [{ id: 'c' }] : [];
      },
      async *readAll({ after }: ReadAllOptions) {
        read.push(after);
        yield [];
      },
    } as unknown as EventStore;
    return new DirectorySnapshots(side, store, new Directory()).restore(10);
  };
  await expect(restoredFrom(2)).rejects.toThrow(DamagedRecord);
  expect(read).toEqual([]);
  expect(await restoredFrom(3)).toMatchObject({ at: AT });
  expect(read).toEqual([AT.checkpoint]);
});

test('one that is not whole is passed over for the one before', async () => {
  await snapshots.save(snapshot, AT, NO_MARKS);
  await snapshots.save({ ...snapshot, position: 8 }, { ...AT, position: 8 }, NO_MARKS);
  expect((await restored())?.position).toBe(8);
  await side.remove('snapshots', 'directory-b-1');
  expect((await restored())?.position).toBe(7);
});
