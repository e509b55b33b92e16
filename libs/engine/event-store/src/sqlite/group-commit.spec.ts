import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { contractRegistry, everything, note, take, textsOf } from '../contract/log.contract.js';
import { EventStoreFull, EventStoreUnavailable, RevisionConflict } from '../event-store.js';
import { SqliteEventStore, type SqliteEventStoreOptions } from './sqlite-event-store.js';

let directory: string;
let store: SqliteEventStore;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'event-log-'));
  open();
});

afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

function open(options?: SqliteEventStoreOptions): void {
  store = SqliteEventStore.open(join(directory, 'events.db'), contractRegistry, options);
}

test('appends that come together are one transaction', async () => {
  await Promise.all(
    Array.from({ length: 300 }, (_, index) => store.append(`1.s-${index % 7}`, 'any', [note(String(index))])),
  );
  expect(store.counters).toEqual({ transactions: 1, events: 300, conflicts: 0, waiting: 0 });
});

test('a transaction is bounded, however many appends wait', async () => {
  const appends = Array.from({ length: 5_000 }, (_, index) => store.append('1.a', 'any', [note(String(index))]));
  expect(store.counters.waiting).toBe(5_000);
  await Promise.all(appends);
  expect(store.counters.transactions).toBe(Math.ceil(5_000 / 1_024));
  const large = 'x'.repeat(1_000_000);
  const before = store.counters.transactions;
  await Promise.all(Array.from({ length: 8 }, () => store.append('1.a', 'any', [note(large)])));
  expect(store.counters.transactions - before).toBe(2);
});

test('one append larger than a usual transaction goes through alone', async () => {
  const events = Array.from({ length: 3_000 }, (_, index) => note(String(index)));
  expect(await store.append('1.a', 'none', events)).toEqual({ position: 3_000, firstRevision: 0, lastRevision: 2_999 });
  expect(textsOf(await everything(store))).toEqual(events.map((_, index) => String(index)));
});

test('appends of nothing and lost races cost no transaction', async () => {
  await store.append('1.a', 'none', [note('x')]);
  await expect(store.append('1.a', 'none', [note('y')])).rejects.toThrow(RevisionConflict);
  await store.append('1.a', 'any', []);
  expect(store.counters).toEqual({ transactions: 1, events: 1, conflicts: 1, waiting: 0 });
});

test('a repeated append is recognised within one transaction, before it is stored', async () => {
  const [a, b] = [note('a'), note('b')];
  const outcomes = await Promise.allSettled([
    store.append('1.a', 'none', [a]),
    store.append('1.a', 0, [b]),
    store.append('1.a', 'none', [a, b]),
    store.append('1.a', 'none', [a, note('c')]),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(outcomes[2]).toMatchObject({ value: { position: 2, firstRevision: 0, lastRevision: 1 } });
  expect(await everything(store)).toHaveLength(2);
});

test('closing commits what waits', async () => {
  const appends = Array.from({ length: 20 }, (_, index) => store.append('1.a', 'any', [note(String(index))]));
  // One turn of the microtask queue, so that the appends have been taken.
  await Promise.resolve();
  await store.close();
  await Promise.all(appends);
  open();
  expect(await store.head()).toBe(20);
});

test('closing ends subscriptions with an error, not as if the log had ended', async () => {
  const taking = take(store, 1);
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([expect(taking).rejects.toThrow(EventStoreUnavailable), store.close()]);
});

test('names that EventStoreDB or the checksum could not bear are refused', async () => {
  for (const name of ['', '$all', 'a\nb', 'a\u0000', 'a\uD800', 'x'.repeat(257)]) {
    await expect(store.append(name, 'any', [note('x')])).rejects.toThrow(RangeError);
  }
  await expect(store.append('1.a', 'any', [{ ...note('x'), id: 'no-uuid' }])).rejects.toThrow(/UUID/);
  expect(await store.head()).toBe(0);
});

test('subscribers at the head share one object per event', async () => {
  const taking = Promise.all([take(store, 1), take(store, 1)]);
  await new Promise((resolve) => setImmediate(resolve));
  await store.append('1.a', 'any', [note('x')]);
  const [[first], [second]] = await taking;
  expect(first).toBeDefined();
  expect(first).toBe(second);
});

test('an event reaches subscribers no later than its appender', async () => {
  const order: string[] = [];
  const taking = take(store, 1).then(() => order.push('subscriber'));
  await new Promise((resolve) => setImmediate(resolve));
  // Neither waits for a timer, nor for the disk after the commit: both are notified in the same turn of the event loop.
  await store.append('1.a', 'any', [note('x')]).then(() => setImmediate(() => order.push('the next turn')));
  await taking;
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(['subscriber', 'the next turn']);
});

describe('when a commit fails', () => {
  let isBroken: boolean;
  const failures: Error[] = [];

  beforeEach(async () => {
    await store.close();
    isBroken = false;
    failures.length = 0;
    open({
      onFailure: (failure) => failures.push(failure),
      beforeCommit: () => {
        if (isBroken) throw new Error('fsync: input/output error');
      },
    });
    await store.append('1.a', 'none', [note('kept')]);
  });

  test('every waiting append is rejected, also those that had conflicted, and nothing is acknowledged from then on', async () => {
    isBroken = true;
    const outcomes = await Promise.allSettled([
      store.append('1.a', 0, [note('x')]),
      store.append('1.a', 0, [note('y')]),
      store.append('1.b', 'any', [note('z')]),
      store.append('1.c', 'any', []),
    ]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'EventStoreUnavailable' } });
    }
    // A disk that seems to work again cannot be trusted: what it failed to write may be lost.
    isBroken = false;
    await expect(store.append('1.b', 'any', [note('later')])).rejects.toThrow(EventStoreUnavailable);
    expect(store.failure).toBeInstanceOf(EventStoreUnavailable);
    expect(failures).toEqual([store.failure]);
  });

  test('what was acknowledged can be read, and what was not is nowhere', async () => {
    isBroken = true;
    await expect(store.append('1.a', 'any', [note('lost')])).rejects.toThrow(EventStoreUnavailable);
    expect(textsOf(await everything(store))).toEqual(['kept']);
    expect(textsOf(await store.readStream('1.a', { limit: 5 }))).toEqual(['kept']);
    expect(await store.head()).toBe(1);
    isBroken = false;
    await store.close();
    open();
    expect(textsOf(await everything(store))).toEqual(['kept']);
    expect(await store.append('1.a', 0, [note('after')])).toMatchObject({ position: 2 });
  });

  test('an error of SQLite itself is such a failure', async () => {
    const other = new Database(join(directory, 'events.db'));
    other.exec('ALTER TABLE events RENAME TO facts');
    await expect(store.append('1.a', 'any', [note('x')])).rejects.toMatchObject({ cause: { code: 'SQLITE_ERROR' } });
    other.exec('ALTER TABLE facts RENAME TO events');
    await expect(store.append('1.a', 'any', [note('x')])).rejects.toThrow(EventStoreUnavailable);
  });
});

test('without room nothing is stored, reading goes on, and appends succeed again once there is room', async () => {
  await store.close();
  let isFull = false;
  const told: string[] = [];
  const recovered = new Promise<void>((resolve) => {
    open({
      beforeCommit: () => {
        if (isFull) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      },
      onFailure: ({ name }) => told.push(name),
      onRecovery: () => {
        told.push('room');
        resolve();
      },
    });
  });
  await store.append('1.old', 'none', [note('before')]);
  isFull = true;
  const lost = [store.append('1.old', 0, [note('lost')]), store.append('1.new', 'none', [note('lost'), note('lost')])];
  for (const append of lost) await expect(append).rejects.toThrow(EventStoreFull);
  await expect(store.append('1.old', 'any', [note('refused')])).rejects.toThrow(EventStoreFull);
  expect(store.failure).toBeInstanceOf(EventStoreFull);
  expect(textsOf(await store.readStream('1.old', { limit: 10 }))).toEqual(['before']);
  isFull = false;
  await recovered;
  expect([store.failure, told]).toEqual([undefined, ['EventStoreFull', 'room']]);
  expect(await store.append('1.new', 'none', [note('after')])).toMatchObject({ position: 2, firstRevision: 0 });
  expect(await store.append('1.old', 0, [note('after')])).toMatchObject({ position: 3, firstRevision: 1 });
  await store.close();
  open();
  expect(textsOf(await everything(store))).toEqual(['before', 'after', 'after']);
});
