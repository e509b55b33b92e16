import { MongoNetworkError } from 'mongodb';
import { describeOnMongo } from '#testing';
import type { Commit } from '../../read-store.js';
import { BoundedCollection } from '../bounded-collection.js';
import { MongoHarness } from '../mongo.fixture.js';
import { MongoReadStore } from '../mongo-read-store.js';
import { MongoServer } from '../server/mongo-server.js';
import { GuardedWrites } from './guarded-writes.js';
import type { BeforeStep } from './guarded-writes.js';
import { Journal } from './journal.js';
import type { Entry } from './journal.js';
import { StateDocument } from './state-document.js';
import type { StoreState } from './store-state.js';
import { Stop } from './stop.fixture.js';
import { Takeover } from './takeover.js';

const notes = { name: 'notes', key: 'integer', fields: {}, indexes: [] } as const;
const ALL = 1_000_000;

const commitAt = (position: number, rest: Partial<Commit> = {}): Commit => ({
  writes: [{ collection: 'notes', key: position, doc: { position }, fresh: true }],
  position,
  passed: position,
  ...rest,
});
const idle: BeforeStep = () => Promise.resolve();

describeOnMongo('a reader that writes the documents of decided commits', (server) => {
  let harness: MongoHarness;
  let mongo: MongoServer;
  let store: MongoReadStore;
  let beforeStep: BeforeStep;
  let takeovers: jest.SpyInstance;

  /** As a reader that has waited for long. */
  const helper = (
    beforeStep = idle,
    beforeNext: () => Promise<void> = () => Promise.resolve(),
    server = mongo,
  ): Takeover => {
    class SlowJournal extends Journal {
      override async next(state: StoreState): Promise<Entry | undefined> {
        await beforeNext();
        return super.next(state);
      }
    }
    const writes = new GuardedWrites(server, beforeStep);
    return new Takeover(new SlowJournal(server, idle), new StateDocument(server), writes, beforeStep);
  };
  const keys = async (): Promise<unknown[]> =>
    (await (await store.collection(notes)).find({ limit: 100 })).map(({ key }) => key);

  beforeEach(async () => {
    harness = await MongoHarness.on(server.freshUrl());
    mongo = await MongoServer.connect(harness.url);
    beforeStep = idle;
    takeovers = jest.spyOn(Takeover.prototype, 'run');
    store = await MongoReadStore.open(mongo, 1, { beforeStep: (step) => beforeStep(step) });
    await store.collection(notes);
    await store.settled();
    takeovers.mockClear();
  });
  afterEach(async () => {
    beforeStep = idle;
    jest.restoreAllMocks();
    await store.close();
    await mongo.close();
    await harness.destroy();
  });

  test.each(['startRebuild', 'finishRebuild', 'collection'] as const)(
    'before %s ends does not make it fail',
    async (method) => {
      const rebuild = await store.startRebuild(notes);
      const stop = new Stop();
      beforeStep = (step) => (step === 'state' ? stop.pass() : idle(step));
      const other = { ...notes, name: 'others' } as const;
      const changed =
        method === 'finishRebuild'
          ? store.finishRebuild(notes, rebuild)
          : store[method](method === 'collection' ? other : notes);
      await stop.reached;
      await helper().settleUpTo(ALL);
      stop.open();
      await changed;
      await store.commit(commitAt(1));
      expect(await keys()).toEqual([1]);
      expect(takeovers).not.toHaveBeenCalled();
    },
  );

  test('a rebuild is finished once, also when the server was away after that was decided', async () => {
    const rebuild = await store.startRebuild(notes);
    await store.commit(commitAt(1, { writes: [{ collection: rebuild.shadow, key: 1, doc: {} }] }));
    beforeStep = (step) => {
      if (step === 'state') throw new MongoNetworkError('connection 5 to 127.0.0.1 closed');
      return idle(step);
    };
    await expect(store.finishRebuild(notes, rebuild)).rejects.toThrow('is not available');
    beforeStep = idle;
    await store.finishRebuild(notes, rebuild);
    expect(await keys()).toEqual([1]);
  });

  test('a rebuild is decided when its documents are written', async () => {
    const rebuild = await store.startRebuild(notes);
    const stop = new Stop();
    const steps: string[] = [];
    beforeStep = async (step) => {
      if (step === 'insert') await stop.pass();
      steps.push(step);
    };
    await store.commit(commitAt(1, { writes: [{ collection: rebuild.shadow, key: 1, doc: {}, fresh: true }] }));
    const finished = store.finishRebuild(notes, rebuild);
    await stop.reached;
    // Anything that does not wait for the documents is done by then.
    await mongo.collection('journal').findAll({});
    await mongo.collection('journal').findAll({});
    stop.open();
    await finished;
    const decisions = steps.filter((step) => step !== 'part' && step !== 'state');
    expect(decisions).toEqual(['decide', 'insert', 'decide']);
  });

  test.each([
    ['counted', false],
    ['not counted', true],
  ])('and is late brings nothing back that was removed with a range meanwhile (%s)', async (_what, isHeld) => {
    const [writing, counting, late] = [new Stop(), new Stop(), new Stop()];
    beforeStep = (step) => (step === 'insert' ? writing.pass() : idle(step));
    await store.commit(commitAt(5));
    await writing.reached;
    const helped = helper((step) => (step === 'insert' ? late.pass() : idle(step))).settleUpTo(ALL);
    await late.reached;
    await store.commit(commitAt(6, { prunes: [{ collection: 'notes', below: 6 }] }));
    if (isHeld) beforeStep = (step) => (step === 'state' ? counting.pass() : idle(step));
    else beforeStep = idle;
    writing.open();
    if (isHeld) await counting.reached;
    else await store.settled();
    late.open();
    await helped;
    counting.open();
    await store.settled();
    expect(await keys()).toEqual([6]);
  });

  test('writes only what the writer has not written', async () => {
    const mongoInTurn = await MongoServer.connect(harness.url, {
      capabilities: { writesAtOnce: 1, bulkWrites: false },
    });
    const inTurn = await MongoReadStore.open(mongoInTurn, 2, { beforeStep: (step) => beforeStep(step) });
    await inTurn.collection(notes);
    const replaced = Array.from({ length: 30 }, (_, key) => ({ collection: 'notes', key, doc: { n: key } }));
    await inTurn.commit(commitAt(1, { writes: replaced }));
    await inTurn.settled();
    const stop = new Stop();
    let replaces = 0;
    beforeStep = (step) => (step === 'replace' && ++replaces === 3 ? stop.pass() : idle(step));
    const inserted = { collection: 'notes', key: 100, doc: {}, fresh: true } as const;
    const writes = [inserted, ...replaced.map((write) => ({ ...write, doc: { later: true } }))];
    await inTurn.commit(commitAt(2, { writes }));
    await stop.reached;
    const steps: string[] = [];
    await helper((step) => Promise.resolve(void steps.push(step))).settleUpTo(ALL);
    expect(steps).toEqual(['replace', 'state']);
    stop.open();
    await inTurn.settled();
    expect(await keys()).toHaveLength(31);
    await inTurn.close();
    await mongoInTurn.close();
  });

  test.each([
    ['passes over what a majority has', true, ['state']],
    ['writes what is there once more where no majority is asked', false, ['insert', 'replace', 'state']],
  ])('%s', async (_what, majorityReads, expected) => {
    const reading = await MongoServer.connect(harness.url, { capabilities: { majorityReads } });
    const counting = new Stop();
    beforeStep = (step) => (step === 'state' ? counting.pass() : idle(step));
    await store.commit(commitAt(1));
    await counting.reached;
    const steps: string[] = [];
    await helper((step) => Promise.resolve(void steps.push(step)), undefined, reading).settleUpTo(ALL);
    expect(steps).toEqual(expected);
    counting.open();
    await store.settled();
    expect(await keys()).toEqual([1]);
    await reading.close();
  });

  test('goes on when a part of an entry was removed that is applied', async () => {
    const [writing, late] = [new Stop(), new Stop()];
    const database = harness.client.db(harness.database);
    beforeStep = (step) => (step === 'insert' ? writing.pass() : idle(step));
    await store.commit(commitAt(1));
    const helped = helper(idle, () => late.pass()).settleUpTo(ALL);
    await late.reached;
    writing.open();
    await store.settled();
    await database.collection('journal-parts').deleteMany({});
    late.open();
    await helped;
    expect(await keys()).toEqual([1]);
  });

  test('makes no writer decide a commit twice whose answer was lost', async () => {
    const { insertOne } = BoundedCollection.prototype;
    const lost = jest.spyOn(BoundedCollection.prototype, 'insertOne').mockImplementationOnce(async function (
      this: BoundedCollection<object>,
      document,
    ) {
      await insertOne.call(this, document);
      await helper().settleUpTo(ALL);
      throw new MongoNetworkError('connection 5 to 127.0.0.1 closed');
    });
    const commit = commitAt(1, { writes: [] });
    await expect(store.commit(commit)).rejects.toThrow('is not available');
    await store.commit(commit);
    expect(lost).toHaveBeenCalledTimes(1);
  });

  test('does not begin a database that was dropped', async () => {
    const database = harness.client.db(harness.database);
    await database.dropDatabase();
    await helper().settleUpTo(5);
    expect(await database.collection('state').countDocuments()).toBe(0);
  });
});
