import { describeOnMongo, MongoBackups, until } from '#testing';
import { type Commit, ReadModelsPutBack, WriterReplaced } from '../../read-store.js';
import type { MongoReadStore } from '../mongo-read-store.js';
import { MongoHarness } from '../mongo.fixture.js';

const notes = { name: 'notes', key: 'integer', fields: {}, indexes: [] } as const;

/** One note for each position. */
const note = (position: number): Commit => ({
  writes: [{ collection: 'notes', key: position, doc: { position } }],
  checkpoints: { notes: { checkpoint: `${position}`, position } },
  position,
  passed: position,
});

describeOnMongo('read models that are put back under their writer', (server) => {
  let harness: MongoHarness;
  let backups: MongoBackups;
  let store: MongoReadStore;

  const positions = async (of: MongoReadStore): Promise<number[]> => {
    const found = await (await of.collection<{ position: number }>(notes)).find({ limit: 100 });
    return found.map(({ doc }) => doc.position);
  };
  const commitAll = async (to: MongoReadStore, from: number, upTo: number): Promise<void> => {
    for (let position = from; position <= upTo; position++) await to.commit(note(position));
  };

  beforeEach(async () => {
    harness = await MongoHarness.on(server.freshUrl());
    backups = await MongoBackups.on(harness.url);
    store = await harness.write();
    await store.collection(notes);
  });
  afterEach(async () => {
    await backups.close();
    await harness.destroy();
  });

  test('are told by where they stand', async () => {
    await commitAll(store, 1, 2);
    const backup = await backups.backUp();
    await commitAll(store, 3, 4);
    await store.settled();
    const before = await store.standing();
    expect([before.commits, [...before.positions]]).toEqual([expect.any(Number), [['notes', 4]]]);
    const reader = (await harness.open()).reading();
    expect(await reader.standing()).toEqual(before);
    await backups.putBack(backup);
    await expect(store.standing()).rejects.toThrow(ReadModelsPutBack);
    const { making, commits, positions: reached } = await reader.standing();
    expect([making === before.making, commits < before.commits, reached.get('notes')]).toEqual([true, true, 2]);
    await backups.putBack();
    expect((await reader.standing()).making).not.toBe(before.making);
  });

  test.each([
    ['an older state', 2],
    ['nothing', 0],
  ])('to %s end it, and its successor loses none', async (_what, kept) => {
    await commitAll(store, 1, 2);
    const backup = kept === 0 ? undefined : await backups.backUp();
    await commitAll(store, 3, 4);
    await backups.putBack(backup);
    // Its entry in the journal stays: it was made for a state that is gone.
    await store.commit(note(5)).catch(() => undefined);
    const isRefused = (error: unknown): boolean =>
      error instanceof ReadModelsPutBack || error instanceof WriterReplaced;
    await until(() => store.settled().then(() => false, isRefused));
    expect(await store.commit(note(6)).then(() => false, isRefused)).toBe(true);
    const successor = await harness.write();
    await successor.collection(notes);
    expect((await successor.checkpoint('notes'))?.position ?? 0).toBe(kept);
    await commitAll(successor, kept + 1, 8);
    expect(await positions(successor)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test.each([
    ['an older state', 2],
    ['nothing', 0],
  ])('to %s, far behind, are what readers go on from, whatever the writer still decided', async (_what, kept) => {
    const waiting = await harness.open();
    const reader = await waiting.reading().collection(notes);
    await commitAll(store, 1, 2);
    await store.settled();
    const backup = kept === 0 ? undefined : await backups.backUp();
    await commitAll(store, 3, 29);
    await store.settled();
    expect(await waiting.progress.position()).toBe(29);
    await backups.putBack(backup);
    await store.commit(note(30)).catch(() => undefined);
    await until(() =>
      store.settled().then(
        () => false,
        () => true,
      ),
    );
    // Its reads end as well, and hold nothing up.
    await expect(positions(store)).rejects.toThrow(/./);
    const successor = await harness.write();
    await successor.collection(notes);
    await commitAll(successor, kept + 1, 8);
    for (const stores of [waiting, await harness.open()]) {
      expect(await stores.progress.position()).toBe(8);
      expect((await stores.reading().standing()).positions.get('notes')).toBe(8);
    }
    expect((await reader.getMany([1, 2, 3, 4, 5, 6, 7, 8])).size).toBe(8);
  });
});
