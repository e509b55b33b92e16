import { setImmediate as nextTurn } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { DamagedRecord } from '#event-store';
import { Refusal } from '#kernel';
import { rounds, until } from '#testing';
import type { Projection } from '../projection.js';
import { ReadModelsPutBack, type ReadStoreDamaged, ReadStoreUnavailable } from '../read-store.js';
import { SqliteCollection } from '../sqlite/sqlite-collection.js';
import { SqliteDatabase } from '../sqlite/sqlite-database.js';
import { tamper } from '../sqlite/tamper.fixture.js';
import { BreakingEvents, EngineFixture, entries, parts, sums, Tally } from './engine.fixture.js';
import type { Counter } from './engine.fixture.js';
import type { ProjectionEngine } from './projection-engine.js';

let fixture: EngineFixture;

beforeEach(async () => (fixture = await EngineFixture.create()));
afterEach(() => fixture.destroy());

const notReady = { code: 'SERVER_NOT_READY' };
const refusalOf = (work: () => void): Refusal | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return undefined;
};

describe('following the log', () => {
  test('what was there is visible after the start, what comes when it is reached', async () => {
    await fixture.add('a', 1, 2);
    const engine = await fixture.started([sums, entries]);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 3, events: [1, 2] } });
    const { position } = await fixture.add('b', 5);
    await engine.waitFor(position);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 3, events: [1, 2] }, b: { total: 5, events: [3] } });
    expect(Object.keys(await fixture.docs(entries))).toEqual(['1', '2', '3']);
    expect(() => engine.assertAccepting()).not.toThrow();
  });

  test('an empty log is caught up with at once', async () => {
    const engine = await fixture.started([sums], [new Tally()]);
    expect(engine.status()).toMatchObject({ state: 'live', position: 0 });
    await engine.waitFor(0);
  });

  test('several events of one batch see each other', async () => {
    const engine = await fixture.started([sums]);
    await fixture.add('a', 1);
    await fixture.clear('a');
    const { position } = await fixture.add('a', ...Array.from({ length: 1500 }, () => 2));
    await engine.waitFor(position);
    const { a } = await fixture.docs<Counter>(sums);
    expect(a?.total).toBe(3000);
    expect(a?.events).toHaveLength(1500);
  });

  test('many writers at once all see their own event', async () => {
    const engine = await fixture.started([sums]);
    const collection = await fixture.store.collection<Counter>(sums.collection);
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const { position } = await fixture.add(`c${index % 7}`, 1);
        await engine.waitFor(position);
        expect((await collection.get(`c${index % 7}`))?.events).toContain(position);
      }),
    );
  });

  test('followers see every event in order, and are told once it is visible', async () => {
    const tally = new Tally();
    const engine = await fixture.started([sums], [tally]);
    const collection = await fixture.store.collection<{ total: number }>(tally.collection);
    const { position } = await fixture.add('a', 1, 2, 3);
    await engine.waitFor(position);
    expect(tally.told).toEqual([1, 2, 3]);
    expect(tally.replayed).toEqual([]);
    expect(await collection.get(3)).toEqual({ total: 6 });
  });
});

describe('ranges of keys that an event removes', () => {
  const left = async (): Promise<string[]> => Object.keys(await fixture.docs(parts));

  test('take with them what earlier batches and the same one wrote, and nothing else', async () => {
    const engine = await fixture.started([parts]);
    await engine.waitFor((await fixture.add('a', 1, 2)).position);
    await fixture.add('a', 3);
    await fixture.add('ab', 4);
    await fixture.clear('a');
    const { position } = await fixture.add('a', 5);
    await engine.waitFor(position);
    expect(await left()).toEqual([`a/${String(position).padStart(16, '0')}`, 'ab/0000000000000004']);
  });

  test('do so when the whole log is one batch, and in a rebuild', async () => {
    await fixture.add('a', 1, 2);
    await fixture.add('b', 3);
    await fixture.clear('a');
    await fixture.add('a', 4);
    const engine = await fixture.started([parts]);
    const expected = ['a/0000000000000005', 'b/0000000000000003'];
    expect(await left()).toEqual(expected);
    await fixture.store.commit({ writes: [{ collection: 'parts', key: 'a/', doc: { amount: 9 } }], position: 1 });
    await engine.rebuild(['parts']);
    expect(await left()).toEqual(expected);
  });
});

describe('a long read', () => {
  const small = { bulkBatchEventsMax: 4 };

  test('loads no document that the batch before has left, and ends with what one batch ends with', async () => {
    await fixture.add('a', ...Array.from({ length: 20 }, () => 1));
    await fixture.clear('a');
    await fixture.add('a', ...Array.from({ length: 20 }, () => 2));
    const loads = jest.spyOn(SqliteCollection.prototype, 'getMany');
    const engine = await fixture.started([sums], [], small);
    const positions = Array.from({ length: 20 }, (_, index) => 22 + index);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 40, events: positions } });
    // Before the first batch, and after the one that removes it.
    expect(loads.mock.calls.length).toBeLessThanOrEqual(2);
    loads.mockClear();
    await engine.rebuild(['sums']);
    expect(loads.mock.calls.length).toBeLessThanOrEqual(2);
    loads.mockRestore();
    expect(await fixture.docs(sums)).toEqual({ a: { total: 40, events: positions } });
  });

  test('remembers nothing that an event removes by a range', async () => {
    const byRange: Projection<Counter> = {
      ...sums,
      keys: (event) => (event.type === 'counter.cleared.v1' ? [] : sums.keys(event)),
      removes: (event) => (event.type === 'counter.cleared.v1' ? [{ from: 'a', below: 'b' }] : []),
    };
    await fixture.add('a', 1, 2);
    // The last of its batch: what it removes is written by the same one.
    await fixture.clear('a');
    await fixture.add('a', 5);
    const engine = await fixture.started([byRange], [], { bulkBatchEventsMax: 3 });
    expect(await fixture.docs(sums)).toEqual({ a: { total: 5, events: [4] } });
    await engine.rebuild(['sums']);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 5, events: [4] } });
  });

  test('is indexed when it ends, also by a process after the one that died in it', async () => {
    await fixture.add('a', 1, 2, 3, 4, 5, 6);
    const indexes = async (): Promise<unknown> => {
      await fixture.store.close();
      const db = new SqliteDatabase(join(fixture.directory, 'read.db'), { cacheKib: 64, mappedBytes: 0 });
      const rows = db.rows(
        "SELECT name FROM sqlite_schema WHERE name LIKE '%\\_\\_index%' ESCAPE '\\' ORDER BY name",
        [],
      );
      await db.close();
      await fixture.reopen();
      return rows.map(([name]) => String(name));
    };
    fixture.store.before = ({ position }) => {
      if (position > 4) throw new Error('killed');
    };
    await expect(fixture.started([sums, entries], [], { ...small, retryLimitMs: 0 })).rejects.toThrow();
    expect(await indexes()).toEqual([]);
    await fixture.started([sums, entries], [], small);
    expect(await indexes()).toEqual(['entries__1__index1', 'entries__1__index2', 'sums__1__index1']);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 21, events: [1, 2, 3, 4, 5, 6] } });
  });
});

describe('starting again', () => {
  test('goes on where it stood', async () => {
    const engine = await fixture.started([sums]);
    await engine.waitFor((await fixture.add('a', 1)).position);
    await fixture.reopen();
    await fixture.add('a', 2);
    await fixture.started([sums]);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 3, events: [1, 2] } });
  });

  test('a new projection and one whose schema changed are built from the beginning, the others untouched', async () => {
    const engine = await fixture.started([sums]);
    await engine.waitFor((await fixture.add('a', 1, 2)).position);
    await fixture.reopen();
    await fixture.add('a', 3);
    await fixture.started([sums, entries]);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 6, events: [1, 2, 3] } });
    expect(Object.keys(await fixture.docs(entries))).toEqual(['1', '2', '3']);
    await fixture.reopen();
    const changed = { ...sums, collection: { ...sums.collection, indexes: [] } };
    const again = await fixture.started([changed, entries]);
    expect(await fixture.docs(changed)).toEqual({ a: { total: 6, events: [1, 2, 3] } });
    await again.waitFor((await fixture.add('a', 4)).position);
    expect(await fixture.docs(changed)).toEqual({ a: { total: 10, events: [1, 2, 3, 4] } });
  });

  test('a follower replays what its snapshot lacks without writing it again', async () => {
    const first = await fixture.started([], [new Tally(fixture.side)]);
    await first.waitFor((await fixture.add('a', 1, 2)).position);
    const snapshot = await fixture.side.get('snapshot', 'tally');
    await first.waitFor((await fixture.add('a', 3)).position);
    await fixture.side.put('snapshot', 'tally', snapshot!);
    await fixture.reopen();
    await fixture.add('a', 4);
    const tally = new Tally(fixture.side);
    await fixture.started([], [tally]);
    expect(tally.replayed).toEqual([3]);
    expect(tally.written).toEqual([4]);
    expect(tally.told).toEqual([4]);
    expect(tally.total).toBe(10);
    expect(await fixture.docs<{ total: number }>(tally)).toMatchObject({ 3: { total: 6 }, 4: { total: 10 } });
  });

  test('a follower that was warmed up while another process wrote replays only what came since', async () => {
    const first = await fixture.started([sums], [new Tally(fixture.side)]);
    await first.waitFor((await fixture.add('a', 1, 2)).position);
    const tally = new Tally(fixture.side);
    const next = fixture.engine([sums], [tally]);
    const { signal } = new AbortController();
    await next.warmUp(first.status().position, signal);
    const { position } = await fixture.add('a', 3);
    await first.waitFor(position);
    await next.warmUp(position, signal);
    expect(tally).toMatchObject({ total: 6, replayed: [3], written: [] });
    await first.waitFor((await fixture.add('a', 4)).position);
    await first.stop();
    const late = await fixture.add('a', 5);
    const reads = jest.spyOn(fixture.events, 'readAll');
    await next.start();
    expect(tally).toMatchObject({ total: 15, replayed: [3, 4], written: [late.position], told: [late.position] });
    expect(await fixture.docs(sums)).toEqual({ a: { total: 15, events: [1, 2, 3, 4, 5] } });
    // The checkpoint that all participants have is looked for once, and the log is read once.
    expect(reads).toHaveBeenCalledTimes(2);
  });

  test('a warm follower sees nothing that the read models have not passed, and none of a log that ends early', async () => {
    const first = await fixture.started([sums], [new Tally(fixture.side)]);
    const { position } = await fixture.add('a', 1, 2);
    await first.waitFor(position);
    await first.stop();
    await fixture.add('a', 3);
    const tally = new Tally();
    const next = fixture.engine([sums], [tally]);
    await next.warmUp(position - 1, new AbortController().signal);
    expect(tally.replayed).toEqual([1]);
    await next.warmUp(position, AbortSignal.abort());
    expect(tally.replayed).toEqual([1]);
    await next.start();
    expect(tally).toMatchObject({ total: 6, replayed: [1, 2], written: [3] });
  });

  test('a follower that is warmer than the read models, which were put back, starts over', async () => {
    await fixture.add('a', 1, 2);
    const tally = new Tally();
    const engine = fixture.engine([sums], [tally]);
    await engine.warmUp(2, new AbortController().signal);
    await expect(engine.start()).rejects.toThrow(ReadModelsPutBack);
    expect(engine.hasLostReadModels).toBe(true);
    expect(tally.written).toEqual([]);
  });

  test('a follower whose collection is gone ignores its newer snapshot', async () => {
    const first = await fixture.started([], [new Tally(fixture.side)]);
    await first.waitFor((await fixture.add('a', 1, 2)).position);
    await fixture.reopen();
    await fixture.store.close();
    await rm(join(fixture.directory, 'read.db'));
    await fixture.reopen();
    const tally = new Tally(fixture.side);
    await fixture.started([], [tally]);
    expect(tally.written).toEqual([1, 2]);
    expect(tally.total).toBe(3);
  });

  test('on another log fails with the reason, also when that log is longer and another participant starts from its beginning', async () => {
    const engine = await fixture.started([sums]);
    await engine.waitFor((await fixture.add('a', 1, 2)).position);
    await fixture.reopen();
    await fixture.events.close();
    for (const name of ['events.db', 'events.db-wal', 'events.db-shm', 'events.db.acknowledged'])
      await rm(join(fixture.directory, name), { force: true });
    await fixture.reopen();
    await fixture.add('b', 1, 2, 3);
    const next = fixture.engine([sums, entries]);
    await expect(next.start()).rejects.toThrow(DamagedRecord);
    expect(next.status()).toMatchObject({ state: 'stopped', failure: { position: 2 } });
  });

  test('on a log that has lost events fails, and says so', async () => {
    const engine = await fixture.started([sums]);
    await engine.waitFor((await fixture.add('a', 1, 2)).position);
    const checkpoints = { sums: { checkpoint: '9', position: 9 } };
    await fixture.store.commit({ writes: [], checkpoints, position: 9 });
    await engine.stop();
    const next = fixture.engine([sums]);
    await expect(next.start()).rejects.toThrow(DamagedRecord);
    expect(next.status()).toMatchObject({ state: 'stopped', failure: { position: 3 } });
    expect(next.status().failure?.reason).toMatch(/sums.*9.*missing/);
    expect(refusalOf(() => next.assertAccepting())).toMatchObject(notReady);
  });

  test('two participants cannot write one collection', async () => {
    await expect(fixture.engine([sums, { ...entries, collection: sums.collection }]).start()).rejects.toThrow(/sums/);
  });
});

describe('a process that dies', () => {
  test('at any commit, before or after it took effect, leaves each event applied exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            counter: fc.constantFrom('a', 'b', 'c'),
            amounts: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        fc.array(fc.record({ commits: fc.integer({ min: 1, max: 4 }), after: fc.boolean() }), { maxLength: 4 }),
        async (appends, deaths) => {
          const own = await EngineFixture.create();
          try {
            const totals: Record<string, number> = {};
            const options = { liveBatchEventsMax: 3, bulkBatchEventsMax: 3, retryLimitMs: 0 };
            for (const { counter, amounts } of appends) {
              await own.add(counter, ...amounts);
              for (const amount of amounts) totals[counter] = (totals[counter] ?? 0) + amount;
            }
            for (const { commits, after } of deaths) {
              let left = commits;
              const die = (): void => {
                if (--left <= 0) throw new Error('killed');
              };
              if (after) own.store.after = die;
              else own.store.before = die;
              await own.started([sums, entries], [new Tally(own.side)], options).catch(() => undefined);
              await own.reopen();
            }
            const tally = new Tally(own.side);
            await own.started([sums, entries], [tally], options);
            const found = await own.docs<Counter>(sums);
            expect(Object.fromEntries(Object.entries(found).map(([key, { total }]) => [key, total]))).toEqual(totals);
            const all = appends.flatMap(({ amounts }) => amounts);
            expect(Object.values(await own.docs<{ amount: number }>(entries)).map(({ amount }) => amount)).toEqual(all);
            let sum = 0;
            expect(Object.values(await own.docs<{ total: number }>(tally)).map(({ total }) => total)).toEqual(
              all.map((amount) => (sum += amount)),
            );
          } finally {
            await own.destroy();
          }
        },
      ),
      { numRuns: rounds(25) },
    );
  });
});

describe('trouble', () => {
  test('a projection that cannot digest an event is set aside, and the others go on', async () => {
    const told: string[][] = [];
    const onSetAside = async (failures: ReadonlyMap<string, unknown>): Promise<void> => {
      expect(Object.keys(await fixture.docs(entries))).toEqual(['1']);
      told.push([...failures.keys()]);
    };
    const engine = await fixture.started([entries, sums], [], { onSetAside });
    await engine.waitFor((await fixture.add('a', 1)).position);
    await fixture.poison();
    const { position } = await fixture.add('a', 2);
    await engine.waitFor(position);
    const failure = { participant: 'sums', position: 2, type: 'counter.poisoned.v1', stream: '1.test' };
    const [entriesStatus, sumsStatus] = engine.status().participants;
    expect(engine.status()).toMatchObject({ state: 'live', position });
    expect(entriesStatus).not.toHaveProperty('setAside');
    expect(sumsStatus).toMatchObject({ position: 1, lagEvents: 2, setAside: failure });
    expect(sumsStatus?.setAside?.reason).toContain('cannot digest');
    expect(fixture.logged.filter(({ level }) => level === 'error')).toMatchObject([{ data: failure }]);
    expect(told).toEqual([['sums']]);
    expect(Object.keys(await fixture.docs(entries))).toEqual(['1', '3']);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 1, events: [1] } });
    await engine.rebuild(['entries']);
  });

  test('a projection that was set aside is tried again by the next start, and resumes with the fix', async () => {
    await fixture.started([entries, sums]);
    await fixture.add('a', 1);
    await fixture.poison();
    const { position } = await fixture.add('a', 2);
    await fixture.reopen();
    const again = await fixture.started([entries, sums]);
    expect(again.status().participants[1]).toMatchObject({ setAside: { position: 2 } });
    await fixture.reopen();
    const mended = { ...sums, handles: new Set(['counter.added.v1', 'counter.cleared.v1']) };
    const engine = await fixture.started([entries, mended]);
    expect(engine.status().participants.map((one) => one.position)).toEqual([position, position]);
    expect(engine.status().participants[1]).not.toHaveProperty('setAside');
    expect(await fixture.docs(sums)).toEqual({ a: { total: 3, events: [1, 3] } });
    // Where it resumes, and neither of the start on which it failed again nor of projections that were not behind.
    expect(fixture.logged.filter(({ message }) => message.includes('follows the log again'))).toEqual([
      {
        level: 'info',
        message: 'A projection that was set aside, or left behind, follows the log again.',
        data: { projection: 'sums', position: 1 },
      },
    ]);
  });

  test('a rebuild that succeeds ends it', async () => {
    let sick = true;
    const told: number[] = [];
    const fragile = {
      ...sums,
      evolve: (...[doc, event, key]: Parameters<typeof sums.evolve>) => {
        if (sick) throw new Error('sick');
        return sums.evolve(doc, event, key);
      },
    };
    const engine = await fixture.started([fragile], [], { onSetAside: async ({ size }) => void told.push(size) });
    await engine.waitFor((await fixture.add('a', 1)).position);
    await expect(engine.rebuild(['sums'])).rejects.toThrow('sick');
    sick = false;
    await engine.rebuild(['sums']);
    await engine.waitFor((await fixture.add('a', 1)).position);
    expect(engine.status().participants[0]).not.toHaveProperty('setAside');
    expect(told).toEqual([1, 0]);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 2, events: [1, 2] } });
  });

  test('a write that the store cannot take sets its projection aside, and names the batch', async () => {
    const wrong = { ...entries, evolve: () => ({ amount: 'much' }) };
    const engine = await fixture.started([sums, wrong], [new Tally()]);
    const { position } = await fixture.add('a', 1, 2);
    await engine.waitFor(position);
    const [, status] = engine.status().participants;
    expect(status?.setAside).toMatchObject({ participant: 'entries', position: 1, throughPosition: 2 });
    expect(status?.setAside?.reason).toMatch(/amount of entries/);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 3, events: [1, 2] } });
    expect(Object.keys(await fixture.docs(entries))).toEqual([]);
  });

  test('a key that the store cannot take sets its projection aside', async () => {
    const engine = await fixture.started([{ ...sums, keys: () => [{ key: 5 }] }, entries]);
    await engine.waitFor((await fixture.add('a', 1)).position);
    expect(engine.status().participants[0]).toMatchObject({ setAside: { participant: 'sums', position: 1 } });
    expect(Object.keys(await fixture.docs(entries))).toEqual(['1']);
  });

  test('a follower that cannot digest an event stops the loop, names it, and skips nothing', async () => {
    const tally = new Tally();
    const engine = await fixture.started([entries], [tally]);
    await engine.waitFor((await fixture.add('a', 1)).position);
    jest.spyOn(tally, 'follow').mockImplementation(() => {
      throw new Error('cannot digest');
    });
    const { position } = await fixture.add('a', 2);
    await expect(engine.waitFor(position)).rejects.toMatchObject(notReady);
    const failure = { participant: 'tally', position: 2, type: 'counter.added.v1', stream: '1.test' };
    expect(engine.status()).toMatchObject({ state: 'stopped', position: 1, failure });
    expect(refusalOf(() => engine.assertAccepting())).toMatchObject(notReady);
    await expect(engine.waitFor(position + 1)).rejects.toMatchObject(notReady);
    await engine.waitFor(1);
    expect(Object.keys(await fixture.docs(entries))).toEqual(['1']);
    await expect(engine.rebuild(['entries'])).rejects.toMatchObject(notReady);
  });

  test('a follower that cannot digest an event fails the start', async () => {
    await fixture.add('a', 1);
    const tally = new Tally();
    jest.spyOn(tally, 'follow').mockImplementation(() => {
      throw new Error('cannot digest');
    });
    const engine = fixture.engine([sums], [tally]);
    await expect(engine.start()).rejects.toThrow(/tally failed on counter.added.v1 at position 1/);
    expect(engine.status().state).toBe('stopped');
  });

  test('a read store that fails for a while is tried again, and commands are refused meanwhile', async () => {
    const engine = await fixture.started([sums], [new Tally()]);
    let failing = true;
    fixture.store.before = () => {
      if (failing) throw new ReadStoreUnavailable('away');
    };
    const { position } = await fixture.add('a', 1);
    await until(() => engine.status().state === 'stalled');
    expect(refusalOf(() => engine.assertAccepting())).toMatchObject(notReady);
    failing = false;
    await engine.waitFor(position);
    expect(engine.status()).toMatchObject({ state: 'live', position });
    expect(await fixture.docs(sums)).toEqual({ a: { total: 1, events: [1] } });
  });

  test('a commit that took effect although it failed is repeated harmlessly', async () => {
    const tally = new Tally();
    const engine = await fixture.started([sums, entries], [tally]);
    let failures = 2;
    fixture.store.after = () => {
      if (failures-- > 0) throw new ReadStoreUnavailable('the answer was lost');
    };
    await engine.waitFor((await fixture.add('a', 1, 2)).position);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 3, events: [1, 2] } });
    expect(tally.told).toEqual([1, 2]);
  });

  test('a subscription that breaks off is resumed after the last event that was applied', async () => {
    const events = new BreakingEvents(fixture.events);
    const engine = fixture.engine([sums], [new Tally()], {}, events);
    await engine.start();
    await engine.waitFor((await fixture.add('a', 1)).position);
    events.breaks = 3;
    await engine.waitFor((await fixture.add('a', 2)).position);
    expect(events.subscriptions).toBe(4);
    expect(engine.status()).toMatchObject({ state: 'live', position: 2 });
    expect(await fixture.docs(sums)).toEqual({ a: { total: 3, events: [1, 2] } });
  });

  test('a log that stays away stops the loop', async () => {
    const events = new BreakingEvents(fixture.events);
    const engine = fixture.engine([sums], [], { retryLimitMs: 100 }, events);
    await engine.start();
    events.breaks = Infinity;
    await expect(engine.waitFor((await fixture.add('a', 2)).position)).rejects.toMatchObject(notReady);
    expect(engine.status()).toMatchObject({ state: 'stopped', failure: { reason: expect.stringContaining('broke') } });
  });

  test('a read store that stays away stops the loop', async () => {
    const engine = await fixture.started([sums], [], { retryLimitMs: 50 });
    fixture.store.before = () => {
      throw new ReadStoreUnavailable('away');
    };
    const { position } = await fixture.add('a', 1);
    await expect(engine.waitFor(position)).rejects.toMatchObject(notReady);
    expect(engine.status()).toMatchObject({
      state: 'stopped',
      position: 0,
      failure: { reason: expect.stringContaining('away') },
    });
  });

  test('who waits too long is refused, and the stall is noticed', async () => {
    const engine = await fixture.started([sums], [], { reachedTimeoutMs: 600, stallLimitMs: 100 });
    const waiting = engine.waitFor(99);
    waiting.catch(() => undefined);
    await until(() => refusalOf(() => engine.assertAccepting()) !== undefined);
    await expect(waiting).rejects.toMatchObject(notReady);
    await until(() => refusalOf(() => engine.assertAccepting()) === undefined);
  });

  test('being late for long refuses new commands until the loop has caught up', async () => {
    const engine = await fixture.started([sums], [], { lagLimitMs: -1, lagGraceMs: 300 });
    await engine.waitFor((await fixture.add('a', 1)).position);
    const busy = setInterval(() => void fixture.add('a', 1), 20);
    await until(() => refusalOf(() => engine.assertAccepting()) !== undefined);
    clearInterval(busy);
    await until(() => refusalOf(() => engine.assertAccepting()) === undefined);
  });

  test('stopping refuses who still waits, and a stopped engine stays stopped', async () => {
    const engine = await fixture.started([sums]);
    const waiting = engine.waitFor(5);
    waiting.catch(() => undefined);
    await engine.stop();
    await expect(waiting).rejects.toMatchObject(notReady);
    expect(engine.status()).toMatchObject({ state: 'stopped' });
    expect(engine.status().failure).toBeUndefined();
    await fixture.add('a', 1);
    await nextTurn();
    expect(await fixture.docs(sums)).toEqual({});
    await expect(engine.start()).rejects.toThrow();
  });
});

describe('a rebuild', () => {
  test('ends with what the projection says now, while writers go on', async () => {
    const engine = await fixture.started([sums, entries], [new Tally()], { bulkBatchEventsMax: 50 });
    await fixture.add('a', ...Array.from({ length: 500 }, () => 1));
    const collection = await fixture.store.collection<Counter>(sums.collection);
    await engine.waitFor((await fixture.add('b', 7)).position);
    // Damage that only a rebuild can repair.
    await fixture.store.commit({
      writes: [{ collection: 'sums', key: 'b', doc: { total: 0, events: [] } }],
      position: 501,
    });
    const done = new AbortController();
    let written = 501;
    const writing = (async () => {
      while (!done.signal.aborted) {
        await engine.waitFor((await fixture.add('a', 1)).position);
        written++;
        expect((await collection.get('a'))?.events.at(-1)).toBe(written);
      }
    })();
    let report = await engine.rebuild(['sums']);
    // A quick rebuild can end before a slow disk has synced once: the test needs one that overlaps a write.
    while (written === 501) report = await engine.rebuild(['sums']);
    await engine.rebuild(['entries']);
    done.abort();
    await writing;
    expect(report[0]?.events).toBeGreaterThan(500);
    expect(await collection.get('b')).toEqual({ total: 7, events: [501] });
    expect((await collection.get('a'))?.events).toEqual(
      Array.from({ length: written }, (_, index) => index + 1).filter((position) => position !== 501),
    );
    expect(Object.keys(await fixture.docs(entries))).toHaveLength(written);
    await fixture.reopen();
    await fixture.add('b', 1);
    await fixture.started([sums, entries]);
    expect(await fixture.docs(sums)).toMatchObject({ b: { total: 8 } });
  });

  test('is refused for strangers, and while one runs', async () => {
    const engine = await fixture.started([sums]);
    await engine.waitFor((await fixture.add('a', 1)).position);
    const first = engine.rebuild(['sums']);
    expect(engine.status().rebuilds).toMatchObject([{ name: 'sums' }]);
    await expect(engine.rebuild(['sums'])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(engine.rebuild(['nothing'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await first;
    expect(engine.status().rebuilds).toEqual([]);
    await engine.rebuild(['sums']);
  });

  test('that fails leaves the collection as it was', async () => {
    let sick = false;
    const fragile = {
      ...sums,
      evolve: (...[doc, event, key]: Parameters<typeof sums.evolve>) => {
        if (sick) throw new Error('sick');
        return sums.evolve(doc, event, key);
      },
    };
    const engine = await fixture.started([fragile]);
    await engine.waitFor((await fixture.add('a', 1)).position);
    sick = true;
    const refused = { code: 'INTERNAL_SERVER_ERROR', message: expect.stringMatching(/sums failed on .*sick/) };
    await expect(engine.rebuild(['sums'])).rejects.toMatchObject(refused);
    await expect(engine.compare('sums')).rejects.toMatchObject(refused);
    sick = false;
    expect(await fixture.docs(sums)).toEqual({ a: { total: 1, events: [1] } });
    await engine.waitFor((await fixture.add('a', 1)).position);
    await engine.rebuild(['sums']);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 2, events: [1, 2] } });
  });

  test('of many reads the log once', async () => {
    const engine = await fixture.started([sums, entries, parts], [new Tally()]);
    await engine.waitFor((await fixture.add('a', ...Array.from({ length: 500 }, () => 1))).position);
    const before = await Promise.all([sums, entries, parts].map((each) => fixture.docs(each)));
    const read = jest.spyOn(fixture.events, 'readAll');
    const alone = await readsOf(() => engine.rebuild(['sums']));
    const together = await readsOf(() => engine.rebuild());
    expect(together).toBe(alone);
    expect(await Promise.all([sums, entries, parts].map((each) => fixture.docs(each)))).toEqual(before);

    async function readsOf(work: () => Promise<unknown>): Promise<number> {
      read.mockClear();
      await work();
      return read.mock.calls.length;
    }
  });

  test('of many goes on without one that fails, and tells where that failed without contents', async () => {
    let sick = false;
    const fragile = {
      ...entries,
      evolve: (...[doc, event, key]: Parameters<typeof entries.evolve>) => {
        if (sick && event.position > 3) throw new Error(`sick of ${(event.data as { counter: string }).counter}`);
        return entries.evolve(doc, event, key);
      },
    };
    const engine = await fixture.started([fragile, sums]);
    await engine.waitFor((await fixture.add('secret counter', 1, 1, 1, 1)).position);
    await fixture.store.commit({
      writes: [{ collection: 'sums', key: 'b', doc: { total: 0, events: [] } }],
      position: 4,
    });
    sick = true;
    const [failed, rebuilt] = await engine.rebuild(['entries', 'sums']);
    expect(failed).toMatchObject({
      name: 'entries',
      failure: { participant: 'entries', position: 4, reason: 'Error: sick of …' },
    });
    expect(rebuilt).not.toHaveProperty('failure');
    expect(Object.keys(await fixture.docs(sums))).toEqual(['secret counter']);
    expect(Object.keys(await fixture.docs(entries))).toHaveLength(4);
    sick = false;
    await engine.rebuild();
  });

  test('that is cancelled leaves the collection as it was', async () => {
    const engine = await fixture.started([sums, entries], [], { bulkBatchEventsMax: 10 });
    await engine.waitFor((await fixture.add('a', ...Array.from({ length: 2000 }, () => 1))).position);
    const rebuilding = engine.rebuild();
    const refused = expect(rebuilding).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await until(() => (engine.status().rebuilds[0]?.events ?? 0) > 0);
    expect(await engine.cancelRebuilds()).toEqual(['sums', 'entries']);
    await refused;
    expect(engine.status().rebuilds).toEqual([]);
    expect(Object.keys(await fixture.docs(entries))).toHaveLength(2000);
    expect(await engine.cancelRebuilds()).toEqual([]);
    await engine.rebuild(['sums']);
  });

  test('can be compared with the live collection, which goes on meanwhile and stays', async () => {
    const engine = await fixture.started([sums, entries], [], { bulkBatchEventsMax: 10 });
    await engine.waitFor((await fixture.add('a', ...Array.from({ length: 500 }, () => 1))).position);
    const comparing = engine.compare('entries');
    await expect(engine.rebuild(['entries'])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const { position } = await fixture.add('b', 2, 3);
    await engine.waitFor(position);
    const compared = await comparing;
    expect(compared).toMatchObject({ name: 'entries' });
    expect(compared).not.toHaveProperty('difference');
    expect(compared.documents).toBeGreaterThanOrEqual(500);
    expect(compared.documents).toBeLessThanOrEqual(502);
    expect(await engine.compare('sums')).toEqual({ name: 'sums', position, documents: 2 });
    expect(engine.status().rebuilds).toEqual([]);
    await expect(engine.compare('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('names the first key at which it differs from the live collection', async () => {
    const engine = await fixture.started([sums]);
    for (const name of ['a', 'b', 'c', 'd']) await engine.waitFor((await fixture.add(name, 1)).position);
    const spoil = (key: string, doc: object | undefined) =>
      fixture.store.commit({ writes: [{ collection: 'sums', key, doc }], position: 4 });
    await spoil('c', { total: 9, events: [] });
    expect((await engine.compare('sums')).difference).toEqual({ key: 'c', is: 'different' });
    await spoil('b', undefined);
    expect(await engine.compare('sums')).toMatchObject({ documents: 1, difference: { key: 'b', is: 'left-over' } });
    await spoil('aa', { total: 1, events: [] });
    expect((await engine.compare('sums')).difference).toEqual({ key: 'aa', is: 'missing' });
    expect(await fixture.docs<Counter>(sums)).toMatchObject({ c: { total: 9 } });
    await engine.rebuild(['sums']);
    expect(await engine.compare('sums')).not.toHaveProperty('difference');
  });

  test('does not outlive the engine', async () => {
    const engine = await fixture.started([sums], [], { bulkBatchEventsMax: 10 });
    await engine.waitFor((await fixture.add('a', ...Array.from({ length: 2000 }, () => 1))).position);
    const rebuilding = engine.rebuild(['sums']);
    rebuilding.catch(() => undefined);
    await nextTurn();
    await engine.stop();
    await expect(rebuilding).rejects.toThrow();
    expect(await fixture.docs<Counter>(sums)).toMatchObject({ a: { total: 2000 } });
  });
});

describe('the build that a rebuild replaced', () => {
  const DAY_MS = 86_400_000;
  const formerOf = (engine: ProjectionEngine, name = 'sums') =>
    engine.status().participants.find((one) => one.name === name)?.former;

  /** Counts twice: a release whose handler is wrong. */
  const doubled: typeof sums = {
    ...sums,
    evolve: (counter, event, key) => {
      const after = sums.evolve(counter, event, key);
      if (after !== undefined) after.total += (event.data as { amount: number }).amount;
      return after;
    },
  };

  test('takes its place again with what was recorded since, and the other one is kept instead', async () => {
    await fixture.add('a', 1, 2);
    await fixture.started([sums]);
    await fixture.reopen();
    const engine = await fixture.started([doubled, entries]);
    const beforeMs = Date.now();
    await engine.rebuild(['sums']);
    expect(await fixture.docs<Counter>(sums)).toMatchObject({ a: { total: 6 } });
    const former = formerOf(engine);
    expect(former).toMatchObject({ position: 2, keptUntilMs: former!.replacedAtMs + DAY_MS });
    expect(former!.replacedAtMs).toBeGreaterThanOrEqual(beforeMs);
    await engine.waitFor((await fixture.add('b', 5)).position);
    expect(formerOf(engine)).toMatchObject({ position: 2 });
    const undone = await engine.undo('sums');
    expect(undone).toEqual({ name: 'sums', position: 3, replacedAtMs: former!.replacedAtMs });
    // As it was, and what came since by what the projection says now.
    expect(await fixture.docs(sums)).toEqual({ a: { total: 3, events: [1, 2] }, b: { total: 10, events: [3] } });
    await engine.waitFor((await fixture.add('a', 4)).position);
    expect(await fixture.docs<Counter>(sums)).toMatchObject({ a: { total: 11, events: [1, 2, 4] } });
    await engine.undo('sums');
    expect(await fixture.docs<Counter>(sums)).toMatchObject({ a: { total: 14 }, b: { total: 10 } });
  });

  test('is refused where none is kept, for strangers, and when it fails on what was recorded since', async () => {
    await fixture.add('a', 1);
    const engine = await fixture.started([sums, entries]);
    await expect(engine.undo('sums')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(engine.undo('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await engine.rebuild(['sums']);
    await expect(engine.undo('entries')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await engine.waitFor((await fixture.poison()).position);
    await expect(engine.undo('sums')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await fixture.docs<Counter>(sums)).toMatchObject({ a: { total: 1 } });
    expect(engine.status().participants.find(({ name }) => name === 'sums')?.setAside).toBeDefined();
  });

  test('follows at a distance, is there after a start, and is dropped when its time is over', async () => {
    const first = await fixture.started([sums, entries], [], { formerFollowsEveryMs: 1 });
    await first.rebuild();
    await first.waitFor((await fixture.add('a', ...Array.from({ length: 50 }, () => 1))).position);
    await until(() => formerOf(first)?.position === 50 && formerOf(first, 'entries')?.position === 50);
    await fixture.reopen();
    const second = await fixture.started([sums, entries]);
    expect(formerOf(second)).toMatchObject({ position: 50 });
    await second.undo('sums');
    expect(await fixture.docs<Counter>(sums)).toMatchObject({ a: { total: 50 } });
    await fixture.reopen();
    const third = await fixture.started([sums, entries], [], { formerFollowsEveryMs: 1, formerKeptMs: 1 });
    await until(() => formerOf(third) === undefined && formerOf(third, 'entries') === undefined);
    await expect(third.undo('sums')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('that fails while it follows is told once, and the others follow', async () => {
    const engine = await fixture.started([sums, entries], [], { formerFollowsEveryMs: 1 });
    await engine.rebuild();
    await fixture.poison();
    await engine.waitFor((await fixture.add('b', 1)).position);
    await until(() => formerOf(engine, 'entries')?.position === 2 && formerOf(engine)?.failure !== undefined);
    const told = fixture.logged.filter(({ message }) => message.startsWith('A former build'));
    expect(told).toMatchObject([{ level: 'warn', data: { projection: 'sums', position: 1 } }]);
  });

  test('is exchanged whole under steady writing, however often', async () => {
    const engine = await fixture.started([sums, entries]);
    await fixture.add('a', 1);
    await engine.rebuild(['sums']);
    const load = { goesOn: true };
    let sent = 1;
    const writing = (async () => {
      for (; load.goesOn; sent++) await engine.waitFor((await fixture.add('a', 1)).position);
    })();
    for (let round = 0; round < 20; round++) await engine.undo('sums');
    load.goesOn = false;
    await writing;
    expect(await fixture.docs<Counter>(sums)).toMatchObject({ a: { total: sent } });
  });

  test('is as it was when the process dies in the midst', async () => {
    await fixture.add('a', 1, 2);
    const engine = await fixture.started([sums]);
    await engine.rebuild(['sums']);
    await engine.waitFor((await fixture.add('a', 3)).position);
    fixture.store.after = () => {
      throw new Error('died');
    };
    await expect(engine.undo('sums')).rejects.toThrow('died');
    await fixture.reopen();
    const next = await fixture.started([sums]);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 6, events: [1, 2, 3] } });
    expect(formerOf(next)).toMatchObject({ position: 3 });
    await next.undo('sums');
    expect(await fixture.docs(sums)).toEqual({ a: { total: 6, events: [1, 2, 3] } });
  });
});

describe('a damaged document', () => {
  async function damage(): Promise<void> {
    await fixture.store.checkpoint('sums'); // Commits, which ends the transaction of the store.
    tamper(join(fixture.directory, 'read.db'), 'sums', `UPDATE TABLE SET "$body" = replace("$body", ':', ': ')`);
  }

  test('is shown to nobody, and rebuilt before an event that needs it takes effect, once', async () => {
    await fixture.add('a', 1, 2);
    await (await fixture.started([sums, entries])).stop();
    await fixture.reopen();
    const engine = await fixture.started([sums, entries], [new Tally()]);
    const damages: ReadStoreDamaged[] = [];
    fixture.store.onDamage = (one) => damages.push(one);
    await damage();
    await expect(fixture.docs(sums)).rejects.toThrow('the document a of sums is not what was written');
    const { position } = await fixture.add('a', 4);
    await engine.waitFor(position);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 7, events: [1, 2, 3] } });
    expect(damages.map(({ collection }) => collection)).toEqual(['sums', 'sums']);
    expect(engine.status().state).toBe('live');
  });

  test('does not hide that another projection fails on the same event', async () => {
    await fixture.add('a', 1);
    await (await fixture.started([sums, entries])).stop();
    await fixture.reopen();
    const told: string[][] = [];
    const onSetAside = async (failures: ReadonlyMap<string, unknown>): Promise<void> => {
      told.push([...failures.keys()]);
    };
    const failing = {
      ...entries,
      keys: (): never => {
        throw new Error('cannot digest');
      },
    };
    const engine = await fixture.started([sums, failing], [], { onSetAside });
    await damage();
    await engine.waitFor((await fixture.add('a', 4)).position);
    expect(await fixture.docs(sums)).toEqual({ a: { total: 5, events: [1, 2] } });
    expect(told).toEqual([['entries']]);
    expect(fixture.logged).toContainEqual(
      expect.objectContaining({ level: 'error', data: expect.objectContaining({ projection: 'entries' }) }),
    );
  });
});

test('the status tells lag and rates', async () => {
  const engine = await fixture.started([sums, entries], [new Tally()]);
  await engine.waitFor((await fixture.add('a', ...Array.from({ length: 300 }, () => 1))).position);
  await until(() => (engine.status().participants[0]?.eventsPerSecond ?? 0) > 0);
  const { participants, ...rest } = engine.status();
  expect(rest).toEqual({
    state: 'live',
    position: 300,
    head: 300,
    lagEvents: 0,
    lagMs: expect.any(Number),
    waiting: 0,
    rebuilds: [],
  });
  expect(
    participants.map(({ name, position, handled, lagEvents }) => ({ name, position, handled, lagEvents })),
  ).toEqual(['sums', 'entries', 'tally'].map((name) => ({ name, position: 300, handled: 300, lagEvents: 0 })));
  expect(participants.map(({ rebuildable }) => rebuildable)).toEqual([true, true, false]);
  await expect(engine.rebuild(['tally'])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

describe('read models that are put back under a running engine', () => {
  test('stop it without another event', async () => {
    await fixture.add('a', 1, 2);
    const engine = await fixture.started([sums]);
    expect([engine.status().state, engine.hasLostReadModels]).toEqual(['live', false]);
    jest
      .spyOn(fixture.store, 'standing')
      .mockResolvedValue({ making: 'older', commits: 1, positions: new Map([['sums', 1]]) });
    await until(() => engine.status().state === 'stopped');
    expect([engine.hasLostReadModels, engine.status().failure?.reason]).toEqual([
      true,
      expect.stringContaining('put back'),
    ]);
    expect(refusalOf(() => engine.assertAccepting())).toMatchObject(notReady);
  });

  test('stop it as such when a commit finds them first', async () => {
    await fixture.add('a', 1, 2);
    const engine = await fixture.started([sums]);
    jest.spyOn(fixture.store, 'commit').mockRejectedValueOnce(new ReadModelsPutBack());
    await fixture.add('a', 3);
    await until(() => engine.status().state === 'stopped');
    expect(engine.hasLostReadModels).toBe(true);
  });

  test('are not seen in a store that is away, or one that is ahead', async () => {
    await fixture.add('a', 1, 2);
    const engine = await fixture.started([sums]);
    const standing = jest.spyOn(fixture.store, 'standing').mockRejectedValueOnce(new ReadStoreUnavailable('away'));
    await until(() => standing.mock.calls.length >= 2);
    expect(engine.status().state).toBe('live');
  });
});

test('a start with nothing to read says how far all have passed: another release may have had the store forget it', async () => {
  const { position } = await fixture.add('a', 1, 2);
  await fixture.started([sums, entries]);
  await fixture.reopen();
  const commits: object[] = [];
  fixture.store.before = (commit) => void commits.push(commit);
  await fixture.started([sums, entries]);
  expect(commits).toEqual([{ writes: [], position, passed: position }]);
});

describe('collections that a former release kept', () => {
  test('are removed, and those of this one are not, nor is what is kept or built beside them', async () => {
    await fixture.add('a', 1, 2);
    await fixture.started([sums, entries, parts], [new Tally()]);
    await fixture.reopen();
    const engine = await fixture.started([sums, entries], [new Tally()], { bulkBatchEventsMax: 1 });
    await engine.rebuild(['sums']);
    await engine.waitFor((await fixture.add('a', ...Array.from({ length: 500 }, () => 1))).position);
    const rebuilding = engine.rebuild(['entries']);
    const left = { name: 'parts', documents: 2, bytes: expect.any(Number) };
    expect(await engine.removeLeftOvers(true)).toEqual({ collections: [left] });
    expect(engine.status().rebuilds).toMatchObject([{ name: 'entries' }]);
    const [removed, again] = await Promise.all([engine.removeLeftOvers(false), engine.removeLeftOvers(false)]);
    expect([removed, again]).toEqual([{ collections: [left] }, { collections: [] }]);
    expect(fixture.logged).toContainEqual(expect.objectContaining({ data: { collections: ['parts'] } }));
    await rebuilding;
    await engine.undo('sums');
    expect(Object.keys(await fixture.docs(entries))).toHaveLength(502);
    await fixture.reopen();
    await fixture.started([sums, entries, parts], [new Tally()]);
    expect(await fixture.docs<Counter>(sums)).toMatchObject({ a: { total: 503 } });
    expect(Object.keys(await fixture.docs(parts))).toHaveLength(502);
  });

  test('stay while another process may read them', async () => {
    await fixture.started([sums, entries]);
    await fixture.reopen();
    let keptBecause: string | undefined = 'It runs.';
    const engine = await fixture.started([sums], [], { keepsLeftOvers: async () => keptBecause });
    expect(await engine.removeLeftOvers(true)).toMatchObject({ collections: [{ name: 'entries' }], keptBecause });
    await expect(engine.removeLeftOvers(false)).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'It runs.' });
    keptBecause = undefined;
    expect(await engine.removeLeftOvers(false)).toMatchObject({ collections: [{ name: 'entries' }] });
    expect(await engine.removeLeftOvers(true)).toEqual({ collections: [] });
  });

  test('stay while the engine is not live', async () => {
    const engine = fixture.engine([sums]);
    await expect(engine.removeLeftOvers(false)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  });
});
