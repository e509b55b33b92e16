import { describeOnMongo } from '#testing';
import { ReadStoreUnavailable, where } from '../read-store.js';
import type { Collection, CollectionSchema, Key, Write } from '../read-store.js';
import { MongoCollection } from './mongo-collection.js';
import type { MongoReadStore } from './mongo-read-store.js';
import { MongoHarness } from './mongo.fixture.js';
import { MongoServer } from './server/mongo-server.js';

type Doc = Record<string, unknown>;

const notes = {
  name: 'notes',
  key: 'integer',
  fields: { channel: 'integer' },
  indexes: [['channel']],
} as const satisfies CollectionSchema;

const put = (collection: string, key: Key, doc: Doc): Write => ({ collection, key, doc });
const keys = Array.from({ length: 200 }, (_, key) => key);

describeOnMongo('readers of a store on MongoDB that another process writes', (server) => {
  let harness: MongoHarness;
  let writer: MongoReadStore;

  beforeEach(async () => {
    harness = await MongoHarness.on(server.freshUrl());
    writer = await harness.write();
  });
  afterEach(() => harness.destroy());

  const fill = (name: string, round: number): Promise<void> =>
    writer.commit({ writes: keys.map((key) => put(name, key, { channel: round })), position: round, passed: round });
  const rebuild = async (round: number): Promise<void> => {
    const started = await writer.startRebuild(notes);
    await fill(started.shadow, round);
    await writer.indexRebuild(started);
    await writer.finishRebuild(notes, started);
  };
  const channels = async (collection: Collection<Doc>): Promise<unknown[]> => [
    ...new Set((await collection.find({ limit: 1000 })).map(({ doc }) => doc['channel'])),
  ];

  test('find nothing before there is anything, and then what is committed', async () => {
    const reader = (await harness.open()).reading();
    const collection = await reader.collection<Doc>(notes);
    expect(await collection.get(1)).toBeUndefined();
    expect(await collection.count(undefined, 10)).toBe(0);
    expect(await reader.checkpoint('notes')).toBeUndefined();
    await writer.collection(notes);
    const checkpoints = { notes: { checkpoint: 'x', position: 1 } };
    await writer.commit({ writes: [put('notes', 1, { channel: 2 })], checkpoints, position: 1 });
    const later = await (await harness.open()).reading().collection<Doc>(notes);
    expect(await later.find({ where: where.eq('channel', 2), limit: 5 })).toEqual([{ key: 1, doc: { channel: 2 } }]);
    expect(await reader.checkpoint('notes')).toEqual({ checkpoint: 'x', position: 1 });
  });

  test('cannot write', async () => {
    const reader = (await harness.open()).reading();
    await reader.collection<Doc>(notes);
    await expect(reader.commit({ writes: [], position: 1 })).rejects.toThrow('reading only');
    await expect(reader.startRebuild(notes)).rejects.toThrow('reading only');
    expect(() => reader.shadow({ shadow: 'notes~1' })).toThrow('reading only');
  });

  test('follow rebuilds, and never see one in halves or nothing at all', async () => {
    const collection = await (await harness.open()).reading().collection<Doc>(notes);
    await writer.collection(notes);
    await fill('notes', 0);
    const done = new AbortController();
    const seen = new Set<unknown>();
    const reading = (async () => {
      while (!done.signal.aborted) {
        const found = await channels(collection);
        expect(found).toHaveLength(1);
        seen.add(found[0]);
        expect(await collection.count(undefined, 1000)).toBe(200);
      }
    })();
    for (let round = 1; round <= 4; round++) {
      await rebuild(round);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    done.abort();
    await reading;
    expect(seen.size).toBeGreaterThan(1);
  });

  test('see a rebuild at once when they have asked for the progress', async () => {
    const stores = await harness.open();
    const collection = await stores.reading().collection<Doc>(notes);
    await writer.collection(notes);
    await fill('notes', 1);
    for (let round = 2; round <= 4; round++) {
      expect(await channels(collection)).toEqual([round - 1]);
      await rebuild(round);
      await writer.commit({ writes: [put('notes', 500, { channel: round })], position: round, passed: round });
      expect(await stores.progress.position()).toBe(round);
      expect(await channels(collection)).toEqual([round]);
      expect(await collection.get(500)).toEqual({ channel: round });
    }
  });

  test('are told when what is kept does not fit them', async () => {
    await writer.collection(notes);
    await fill('notes', 1);
    const other = { ...notes, fields: { channel: 'integer', topic: 'text' } } as const;
    const collection = await (await harness.open()).reading().collection<Doc>(other);
    await expect(collection.get(1)).rejects.toThrow(ReadStoreUnavailable);
    await expect(collection.get(1)).rejects.toThrow(/another version/);
  });

  test('that were asleep ask again where the collection is', async () => {
    await writer.collection(notes);
    await fill('notes', 1);
    await writer.settled();
    const mongo = await MongoServer.connect(harness.url);
    const physical = (await mongo.collectionNames()).find((name) => name.startsWith('notes@'));
    const answers = [
      { physical: 'notes@0.0', askedAtMs: performance.now() - 31_000 },
      { physical, askedAtMs: performance.now() },
    ];
    const asleep = new MongoCollection<Doc>(notes, mongo, { find: () => Promise.resolve(answers.shift()!) });
    expect(await asleep.count(undefined, 1000)).toBe(200);
    const stuck = { physical, askedAtMs: performance.now() - 31_000 };
    const lost = new MongoCollection<Doc>(notes, mongo, { find: () => Promise.resolve(stuck) });
    await expect(lost.get(1)).rejects.toThrow(ReadStoreUnavailable);
    await mongo.close();
  });

  test('lose what was replaced only after a while, and what an unfinished rebuild left', async () => {
    const collections = async (): Promise<string[]> => {
      const listed = await harness.client.db(harness.database).listCollections({}, { nameOnly: true }).toArray();
      return listed.map(({ name }) => name).filter((name) => name.startsWith('notes@'));
    };
    await writer.collection(notes);
    await fill('notes', 1);
    await rebuild(2);
    await writer.startRebuild(notes);
    expect(await collections()).toHaveLength(3);
    const successor = await harness.write();
    await successor.tidy();
    expect(await collections()).toHaveLength(3);
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    await successor.tidy();
    expect(await collections()).toHaveLength(1);
    clock.mockRestore();
    expect(await channels(await successor.collection<Doc>(notes))).toEqual([2]);
  });

  test('never see what was removed, though its mark stays for a while', async () => {
    const collection = await writer.collection<Doc>(notes);
    await fill('notes', 1);
    const removals = keys.map((key) => ({ collection: 'notes', key, doc: undefined }));
    await writer.commit({ writes: [...removals, put('notes', 500, { channel: 9 })], position: 2 });
    await writer.settled();
    const reader = await (await harness.open()).reading().collection<Doc>(notes);
    const successor = await harness.write();
    for (const seen of [collection, reader]) {
      expect(await seen.count(undefined, 1000)).toBe(1);
      expect(await seen.count(where.not(where.eq('channel', 1)), 1000)).toBe(1);
      expect(await seen.find({ where: where.range('$key', { gte: 5 }), limit: 9 })).toHaveLength(1);
      expect((await seen.getMany([1, 2, 500])).size).toBe(1);
      expect(await seen.get(1)).toBeUndefined();
    }
    const stored = async (): Promise<number> => {
      const database = harness.client.db(harness.database);
      const listed = await database.listCollections({}, { nameOnly: true }).toArray();
      const physical = listed.map(({ name }) => name).find((name) => name.startsWith('notes@'))!;
      return database.collection(physical).countDocuments();
    };
    await successor.tidy();
    expect(await stored()).toBe(201);
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 301_000);
    await successor.tidy();
    clock.mockRestore();
    expect(await stored()).toBe(1);
  });

  test('leave a journal that keeps its last twenty entries, and the first of each writer', async () => {
    const journal = harness.client.db(harness.database).collection<{ _id: string }>('journal');
    const numbers = async (): Promise<number[]> =>
      (await journal.find({}, { projection: { _id: 1 } }).toArray())
        .map(({ _id }) => Number(_id))
        .sort((a, b) => a - b);
    // Entries of the time since the last clean-up stay for readers that were away for a moment.
    const tidied = async (): Promise<readonly number[]> => {
      await writer.settled();
      await writer.forget();
      await writer.forget();
      return numbers();
    };
    const until = (last: number): number[] => Array.from({ length: 20 }, (_, index) => last - 19 + index);
    await writer.collection(notes);
    let position = 0;
    const commit = async (times: number): Promise<void> => {
      for (let done = 0; done < times; done++) {
        position++;
        await writer.commit({ writes: [put('notes', position, { channel: 1 })], position, passed: position });
      }
    };
    const first = Math.min(...(await numbers()));
    for (const times of [30, 3, 25]) {
      await commit(times);
      const last = Math.max(...(await numbers()));
      expect(await tidied()).toEqual([first, ...until(last)]);
    }
    writer = await harness.write();
    await writer.collection(notes);
    const stamp = Math.max(...(await tidied()));
    await commit(25);
    const last = Math.max(...(await numbers()));
    expect(await tidied()).toEqual([first, stamp, ...until(last)]);
  });
});
