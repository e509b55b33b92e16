import type { Collection as Stored, Db } from 'mongodb';
import { describeOnMongo } from '#testing';
import { WriterReplaced } from '../../read-store.js';
import type { Collection, CollectionSchema } from '../../read-store.js';
import type { StoredDocument } from '../document-codec.js';
import type { MongoReadStore } from '../mongo-read-store.js';
import { MongoHarness } from '../mongo.fixture.js';
import { fingerprintOf } from './store-state.js';
import type { StoreState } from './store-state.js';

type Doc = Record<string, unknown>;

const notes = { name: 'notes', key: 'integer', fields: { channel: 'integer' }, indexes: [['channel']] } as const;
const PHYSICAL = 'notes@7.2';
const OLD_WRITER = 'a process of the release before';
const TERM = 7;
const passed = { checkpoint: 'twelve', position: 12 };

/** State left by a release that committed by transactions, after a time on a server that had none. */
const LEFT: StoreState = {
  _id: 'state',
  term: TERM,
  writer: OLD_WRITER,
  number: 40,
  journaled: false,
  revision: 3,
  passed: 12,
  checkpoints: { notes: passed },
  collections: { notes: { physical: PHYSICAL, schema: fingerprintOf(notes satisfies CollectionSchema), top: 12 } },
  retired: ['notes@6.1'],
};

describeOnMongo('a database that was written by transactions', (server) => {
  let harness: MongoHarness;
  let database: Db;

  const documents = (): Stored<StoredDocument> => database.collection<StoredDocument>(PHYSICAL);
  const state = async (): Promise<StoreState | null> => database.collection<StoreState>('state').findOne({});
  /** The transaction of such a release's writer, provided that it still is the writer. */
  const commitAsBefore = async (key: number): Promise<number> => {
    const found = await state();
    const { matchedCount } = await database
      .collection<StoreState>('state')
      .updateOne({ _id: 'state', writer: OLD_WRITER }, { $inc: { number: 1 }, $set: { passed: found!.passed + 1 } });
    if (matchedCount === 1) await documents().insertOne({ _id: key, p: found!.passed + 1, d: { channel: 5 } });
    return matchedCount;
  };
  const channels = async (collection: Collection<Doc>): Promise<Record<string, unknown>> =>
    Object.fromEntries((await collection.find({ limit: 100 })).map(({ key, doc }) => [key, doc['channel']]));

  beforeEach(async () => {
    harness = await MongoHarness.on(server.freshUrl());
    database = harness.client.db(harness.database);
    await database.collection<StoreState>('state').insertOne(LEFT);
    await documents().createIndex({ 'd.channel': 1 }, { name: 'channel' }, {});
    await documents().insertMany([1, 2, 3].map((_id) => ({ _id, p: 10 + _id, d: { channel: _id } })));
    await database.collection<StoredDocument>('notes@6.1').insertOne({ _id: 1, p: 1, d: { channel: 9 } });
    await database
      .collection<{ _id: number }>('journal')
      .insertMany([{ _id: 12 }, { _id: 13 }].map(({ _id }) => ({ _id, term: 2, writer: 'even earlier', stamp: true })));
  });
  afterEach(() => harness.destroy());

  let taken = 0;
  /** Opens the store as the next process would. */
  const open = async (beforeStep = (): Promise<void> => Promise.resolve()): Promise<MongoReadStore> =>
    (await harness.open({ beforeStep })).writing({ name: 'projector', holder: 'test', term: TERM + ++taken });

  test('is taken over as it is, and written through the journal from then on', async () => {
    const reader = await harness.open();
    const seen = await reader.reading().collection<Doc>(notes);
    expect(await channels(seen)).toEqual({ 1: 1, 2: 2, 3: 3 });

    const store = await open();
    const collection = await store.collection<Doc>(notes);
    expect(await channels(collection)).toEqual({ 1: 1, 2: 2, 3: 3 });
    expect(await store.checkpoint('notes')).toEqual(passed);
    expect(await reader.progress.position()).toBe(12);
    expect((await state())?.collections['notes']?.physical).toBe(PHYSICAL);

    const checkpoints = { notes: { checkpoint: 'thirteen', position: 13 } };
    const writes = [
      { collection: 'notes', key: 1, doc: undefined },
      { collection: 'notes', key: 2, doc: { channel: 22 } },
      { collection: 'notes', key: 4, doc: { channel: 4 } },
    ];
    await store.commit({ writes, checkpoints, position: 13, passed: 13 });
    for (const readers of [collection, seen]) {
      expect(await channels(readers)).toEqual({ 2: 22, 3: 3, 4: 4 });
      expect(await readers.count(undefined, 10)).toBe(3);
    }
    expect(await reader.progress.position()).toBe(13);
    expect(await commitAsBefore(50)).toBe(0);
    const successor = await open();
    expect(await channels(await successor.collection<Doc>(notes))).toEqual({ 2: 22, 3: 3, 4: 4 });
  });

  test('gets the index by which marks of removed documents are found', async () => {
    const store = await open();
    await store.collection(notes);
    await store.tidy();
    const indexes = await documents().listIndexes().toArray();
    expect(indexes.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['channel', 'gone']));
  });

  test('loses the entries of its time, but for the first of each writer', async () => {
    const journal = database.collection<{ _id: number | string }>('journal');
    await journal.insertMany([38, 39, 40].map((_id) => ({ _id, term: TERM, writer: OLD_WRITER })));
    const store = await open();
    for (let position = 15; position < 40; position++) await store.commit({ writes: [], position, passed: position });
    await store.settled();
    await store.tidy();
    const ids = (await journal.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
    expect(ids.filter((id) => typeof id === 'number')).toEqual([12, 13, 41]);
  });

  test('keeps what its writer still commits while it is taken over, and nothing later', async () => {
    const late: number[] = [];
    const store = await open(async () => {
      if (late.length < 2) late.push(await commitAsBefore(100 + late.length));
    });
    expect(late).toEqual([1, 1]);
    const collection = await store.collection<Doc>(notes);
    expect(await channels(collection)).toEqual({ 1: 1, 2: 2, 3: 3, 100: 5, 101: 5 });
    expect((await state())?.passed).toBe(14);
    expect(await commitAsBefore(102)).toBe(0);
    await store.commit({ writes: [{ collection: 'notes', key: 5, doc: { channel: 5 } }], position: 15, passed: 15 });
    expect(await channels(collection)).toEqual({ 1: 1, 2: 2, 3: 3, 5: 5, 100: 5, 101: 5 });
  });

  test('is not taken over by a lower term', async () => {
    const stores = await harness.open();
    await expect(stores.writing({ name: 'projector', holder: 'test', term: TERM - 1 })).rejects.toThrow(WriterReplaced);
    expect(await state()).toEqual(LEFT);
  });
});
