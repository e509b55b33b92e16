import { sleep } from '#kernel';
import { HeldLease, type Lease, type Leases } from '#read-store';
import { isPassing } from '../stores/until-available.js';
import { WarmingUp } from './warming-up.js';

/** A stand-by probes the event log once in this many looks at the lease. */
const LOOKS_PER_PROBE = 10;
/** A stand-by follows the log this often: what it lacks when it takes over, it replays then. */
const LOOKS_PER_WARM_UP = 3;

export interface StandByParts {
  readonly leases: Pick<Leases, 'renew' | 'release'>;
  /** Asks for the lease; undefined while another process holds it. */
  readonly acquire: () => Promise<Lease | undefined>;
  readonly leaseMs: number;
  readonly lookEveryMs: number;
  /** Asks the event log for a sign: a process that could not work is not a stand-by. */
  readonly probe: () => Promise<unknown>;
  /** One turn of the preparations. */
  readonly warmUp: (signal: AbortSignal) => Promise<void>;
  /** Is called after each look at a lease that another process holds. */
  readonly looked: () => void;
  /** Is told of a store that is away, in place of `looked`. */
  readonly missed: (error: Error) => void;
  /** Is told of renewals that failed. */
  readonly onError: (error: unknown) => void;
}

/**
 * Waits for the lease, and warms up meanwhile. From the moment at which it is acquired it is renewed: the turn of the preparations
 * that is still going on may take longer than the lease lasts. A store that is away for a moment costs nothing of what is prepared.
 * @returns undefined when the signal aborted before
 * @throws what a look, a probe or a turn has failed with, unless a store is away
 */
export async function standBy(parts: StandByParts, signal: AbortSignal): Promise<HeldLease | undefined> {
  const { leases, acquire, leaseMs, lookEveryMs, probe, looked, missed, onError } = parts;
  const isEnding = (): boolean => signal.aborted;
  const warmUp = new WarmingUp(parts.warmUp);
  try {
    for (let looks = 0; !isEnding();) {
      try {
        // A probe that fails is the next one again.
        if (looks % LOOKS_PER_PROBE === 0) await probe();
        const askedMs = performance.now();
        const lease = await acquire();
        if (lease !== undefined) return new HeldLease(leases, lease, leaseMs, onError, askedMs);
        looked();
        if (looks++ % LOOKS_PER_WARM_UP === 0) warmUp.goOn();
      } catch (error) {
        if (!isPassing(error)) throw error;
        missed(error);
      }
      await sleep(lookEveryMs, signal);
      warmUp.assertGoing();
    }
    return undefined;
  } finally {
    await warmUp.end();
  }
}
