import type { HeldLease, Lease } from '#read-store';
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
    const silent = {
      probe: () => Promise.resolve(),
      warmUp: () => Promise.resolve(),
      looked: nothing,
      onError: nothing,
    };
    return standBy({ leases, acquire, leaseMs: 30, lookEveryMs: 5, ...silent, ...parts }, this.ending.signal);
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

test('a turn that fails ends it, and so does an event log without a sign', async () => {
  const warmUp = (): Promise<never> => Promise.reject(new Error('unreadable'));
  await expect(new Standing().begin({ warmUp })).rejects.toThrow('unreadable');
  const probe = (): Promise<never> => Promise.reject(new Error('away'));
  await expect(new Standing().begin({ probe })).rejects.toThrow('away');
});
