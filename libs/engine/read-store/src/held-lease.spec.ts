import type { JsonObject } from '#kernel';
import { until } from '#testing';
import { HeldLease } from './held-lease.js';
import { ReadStoreUnavailable } from './read-store.js';
import { type Lease, Leases } from './sharing.js';

const TTL_MS = 40;

/** A store that can be unavailable, and from which another process can take the lease. */
class SomeLeases extends Leases {
  isAway = false;
  isTaken = false;
  renewals = 0;
  released = 0;
  /** Renewals are answered when it resolves. */
  answer: Promise<void> = Promise.resolve();

  override acquire(): Promise<never> {
    throw new Error('Nobody asks.');
  }

  readonly notes: unknown[] = [];

  override async sign(): Promise<never> {
    throw new Error('Nobody asks.');
  }

  override async renew(_lease: Lease, note?: JsonObject): Promise<boolean> {
    this.renewals++;
    if (note !== undefined) this.notes.push(note);
    await this.answer;
    if (this.isAway) throw new ReadStoreUnavailable('The store is away.');
    return !this.isTaken;
  }

  override async release(_lease: Lease): Promise<void> {
    this.released++;
  }
}

describe('a lease that is held', () => {
  let leases: SomeLeases;
  let held: HeldLease;

  beforeEach(() => {
    leases = new SomeLeases();
    held = new HeldLease(leases, { name: 'projector', holder: 'me', term: 1 }, TTL_MS);
  });
  afterEach(() => held.release());

  test('is kept after an outage longer than its duration, when no other process took it', async () => {
    leases.isAway = true;
    await until(() => !held.isSure);
    expect(held.isLost).toBe(false);
    leases.isAway = false;
    await until(() => held.isSure);
    expect(held.isLost).toBe(false);
    await held.release();
    expect(leases.released).toBe(1);
  });

  test('is renewed at once with what its holder tells, and then with what has become of it', async () => {
    let count = 0;
    held.tell(() => ({ count: ++count }));
    await until(() => leases.notes.length === 3);
    expect(leases.notes).toEqual([{ count: 1 }, { count: 2 }, { count: 3 }]);
  });

  test('is released after the renewal with which its holder tells something', async () => {
    let answer = (): void => undefined;
    leases.answer = new Promise((resolve) => (answer = resolve));
    held.tell(() => ({}));
    const released = held.release();
    await new Promise(setImmediate);
    expect(leases.released).toBe(0);
    answer();
    await released;
    expect(leases.released).toBe(1);
  });

  test('is lost once another process has taken it, and is not given away then', async () => {
    leases.isAway = true;
    await until(() => !held.isSure);
    leases.isTaken = true;
    leases.isAway = false;
    await until(() => held.isLost);
    expect(held.isSure).toBe(false);
    await held.release();
    expect(leases.released).toBe(0);
  });
});
