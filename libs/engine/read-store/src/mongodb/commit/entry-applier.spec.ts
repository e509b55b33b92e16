import { MongoNetworkError } from 'mongodb';
import { describeOnMongo, until } from '#testing';
import { ReadStoreUnavailable, WriterReplaced } from '../../read-store.js';
import type { Commit } from '../../read-store.js';
import { MongoHarness } from '../mongo.fixture.js';
import type { MongoReadStore } from '../mongo-read-store.js';
import { Stop } from './stop.fixture.js';

const notes = { name: 'notes', key: 'integer', fields: {}, indexes: [] } as const;

const commitAt = (position: number, rest: Partial<Commit> = {}): Commit => ({
  writes: [{ collection: 'notes', key: position, doc: { position }, fresh: true }],
  position,
  passed: position,
  ...rest,
});

describeOnMongo('documents of decided commits', (server) => {
  let harness: MongoHarness;
  /** Called before each step but the decision of a commit. */
  let beforeStep: (step: string) => Promise<void> | void;
  let store: MongoReadStore;

  const opened = async (): Promise<MongoReadStore> => {
    const store = await harness.write({
      beforeStep: async (step) => {
        if (step !== 'decide' && step !== 'part') await beforeStep(step);
      },
    });
    await store.collection(notes);
    await store.settled();
    return store;
  };

  beforeEach(async () => {
    harness = await MongoHarness.on(server.freshUrl());
    beforeStep = () => undefined;
    store = await opened();
  });
  afterEach(async () => {
    beforeStep = () => undefined;
    jest.restoreAllMocks();
    await harness.destroy();
  });

  test('that cannot be written let no other commit be decided, and are written when that is possible', async () => {
    let failures = 0;
    beforeStep = () => {
      failures++;
      throw new MongoNetworkError('connection 5 to 127.0.0.1 closed');
    };
    await store.commit(commitAt(1));
    // It has been tried again, so the first failure is known.
    await until(() => failures > 1);
    await expect(store.commit(commitAt(2))).rejects.toThrow(ReadStoreUnavailable);
    await expect(store.settled()).rejects.toThrow(ReadStoreUnavailable);
    beforeStep = () => undefined;
    await store.commit(commitAt(2));
    expect(await (await store.collection(notes)).count(undefined, 10)).toBe(2);
  });

  test.each([
    ['eight entries', 0, 8],
    ['50 ms', 60, 2],
  ])('are counted after %s at the latest while others wait', async (_what, passingMs, countedMax) => {
    const stop = new Stop();
    const steps: string[] = [];
    let passedMs = 0;
    const now = performance.now.bind(performance);
    // Nothing takes any time by itself.
    const startMs = now();
    jest.spyOn(performance, 'now').mockImplementation(() => startMs + passedMs);
    beforeStep = async (step) => {
      steps.push(step);
      if (step !== 'prune') return;
      await stop.pass();
      passedMs += passingMs;
    };
    // What prunes is applied by itself.
    const prunes = [{ collection: 'notes', from: 100, below: 101 }];
    for (let position = 1; position <= 12; position++) await store.commit(commitAt(position, { writes: [], prunes }));
    stop.open();
    await store.settled();
    const between = steps
      .join(' ')
      .split('state')
      .map((part) => part.split('prune').length - 1);
    expect(Math.max(...between)).toBe(countedMax);
  });

  describe('of a writer that was suspended, and has a successor', () => {
    let stop: Stop;
    let steps: string[];
    let successor: MongoReadStore;

    beforeEach(async () => {
      const first = new Stop();
      const own: string[] = [];
      [stop, steps] = [first, own];
      beforeStep = async (step) => {
        own.push(step);
        await first.pass();
      };
      for (let position = 1; position <= 10; position++) await store.commit(commitAt(position));
      beforeStep = () => undefined;
      successor = await opened();
      await successor.commit(commitAt(11, { prunes: [{ collection: 'notes', below: 11 }] }));
      await successor.settled();
    });

    test('are not written any more, and the late one is removed again', async () => {
      beforeStep = (step) => void steps.push(step);
      const now = performance.now.bind(performance);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + 3_000);
      stop.open();
      await expect(store.settled()).rejects.toThrow();
      await expect(store.commit(commitAt(11))).rejects.toThrow(WriterReplaced);
      expect(steps).toEqual(['insert', 'prune']);
      expect(await (await successor.collection(notes)).count(undefined, 100)).toBe(1);
    });

    test('are left to it by a writer that closes', async () => {
      beforeStep = (step) => void steps.push(step);
      const closed = store.close({ isLost: true });
      stop.open();
      await closed;
      expect(steps).toEqual(['insert']);
    });
  });
});
