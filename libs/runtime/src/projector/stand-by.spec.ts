import { EventStoreUnavailable } from '#event-store';
import { type HeldLease, type Lease, ReadStoreUnavailable } from '#read-store';
import { until } from '#testing';
import { standBy, type StandByParts } from './stand-by.js';

const LEASE: Lease = { name: 'projector', holder: 'me', term: 2 };
const nothing = (): void => undefined;

/** A stand-by beside a process that holds the lease until it is free, and what was done to the lease since. */
class Standing {
  isFree = false;
  readonly calls: string[] = [];
  readonly ending = new AbortController();

  begin(parts: Partial<StandByParts>): Promise<HeldLease | undefined> {
    const leases = {
      renew: async (): Promise<boolean> => this.calls.push('renew') > 0,
      release: async (): Promise<void> => void this.calls.push('release'),
    };
    const acquire = async (): Promise<Lease | undefined> => (this.isFree ? LEASE : undefined);
    const working = { leases, acquire, probe: () => Promise.resolve(), warmUp: () => Promise.resolve() };
    const silent = { looked: nothing, missed: nothing, onError: nothing };
    return standBy({ ...working, leaseMs: 30, lookEveryMs: 5, ...silent, ...parts }, this.ending.signal);
  }
}

test('the lease is renewed while a turn that began before goes on', async () => {
  const standing = new Standing();
  let isRenewed = false;
  const taken = standing.begin({
    warmUp: async (signal) => {
      standing.isFree = true;
      await until(() => signal.aborted);
      await until(() => standing.calls.length >= 3);
      isRenewed = true;
    },
  });
  const held = await taken;
  expect(isRenewed).toBe(true);
  expect(held).toMatchObject({ lease: LEASE, isLost: false });
  await held?.release();
  expect(standing.calls.at(-1)).toBe('release');
});

test('it ends without the lease when it is told to, and after the turn in progress', async () => {
  const standing = new Standing();
  let hasEnded = false;
  const ended = standing.begin({
    warmUp: async (signal) => {
      standing.ending.abort();
      await until(() => signal.aborted);
      hasEnded = true;
    },
  });
  expect(await ended).toBeUndefined();
  expect(hasEnded).toBe(true);
  expect(standing.calls).toEqual([]);
});

test('a store that is away for a moment costs nothing of what is prepared, and a log that was is asked again first', async () => {
  const calls: string[] = [];
  const failing = (call: string, failures: number, error: Error) => {
    let left = failures;
    return async (): Promise<undefined> => {
      calls.push(call);
      if (left-- > 0) throw error;
    };
  };
  const standing = new Standing();
  const ask = failing('acquire', 2, new ReadStoreUnavailable('away'));
  let turns = 0;
  const missed = jest.fn();
  const held = await standing.begin({
    probe: failing('probe', 2, new EventStoreUnavailable('away')),
    acquire: async () => {
      await ask();
      return turns > 0 ? LEASE : undefined;
    },
    warmUp: async () => {
      turns++;
    },
    missed,
  });
  expect(held).toMatchObject({ lease: LEASE });
  await held?.release();
  expect(calls).toEqual([...Array(3).fill('probe'), 'acquire', 'probe', 'acquire', 'probe', 'acquire', 'acquire']);
  expect(missed).toHaveBeenCalledTimes(4);
});

test('what is no outage ends it: a turn, a probe', async () => {
  const warmUp = (): Promise<never> => Promise.reject(new Error('unreadable'));
  await expect(new Standing().begin({ warmUp })).rejects.toThrow('unreadable');
  const probe = (): Promise<never> => Promise.reject(new Error('wrong log'));
  await expect(new Standing().begin({ probe })).rejects.toThrow('wrong log');
});
