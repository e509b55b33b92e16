import { Backoff, newId, sleep, tellFailure } from '#kernel';
import type { BackgroundWork } from './background-work.js';
import { notReady } from './engine/position-waiters.js';
import { HeldLease } from './held-lease.js';
import type { ReadSideGate, ReadSidePass } from './read-side-gate.js';
import type { Leases } from './sharing.js';

/** A process without a sign of life for this long has lost its exclusive work. */
const LEASE_MS = 10_000;

export interface BackgroundRunnerParts {
  readonly gate: ReadSideGate;
  /** Where processes agree who does exclusive work; undefined when there is one process. */
  readonly leases?: Leases | undefined;
  /** Called with every failure. The next turn tries again. */
  readonly onError: (work: BackgroundWork, error: unknown) => void;
}

/** How one work goes, for operators. */
export interface WorkStatus {
  readonly name: string;
  readonly isRunning: boolean;
  /** Turns that succeeded. */
  readonly turns: number;
  /** Turns that failed since the last one that succeeded. */
  readonly failures: number;
}

interface Progress {
  isRunning: boolean;
  turns: number;
  failures: number;
}

/**
 * Runs all work beside the requests: each work one turn at a time, behind the gate (ADR 30), and exclusive work under a lease. A failed
 * turn is told, and tried again.
 */
export class BackgroundRunner {
  readonly #holder = newId();
  readonly #ending = new AbortController();
  readonly #works = new Map<BackgroundWork, Progress>();
  readonly #loops: Promise<void>[] = [];

  constructor(private readonly parts: BackgroundRunnerParts) {}

  start(works: readonly BackgroundWork[]): void {
    for (const work of works) {
      const progress = { isRunning: false, turns: 0, failures: 0 };
      this.#works.set(work, progress);
      this.#loops.push(this.#repeat(work, progress).then(() => ('stop' in work ? work.stop?.() : undefined)));
    }
  }

  /** Stops after the turns in progress, and what they have begun. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#loops);
  }

  status(): readonly WorkStatus[] {
    return [...this.#works].map(([{ name }, progress]) => ({ name, ...progress }));
  }

  /**
   * One turn, unless another process is at exclusive work.
   * @throws Refusal SERVER_NOT_READY when the read side is not whole, or was replaced meanwhile
   */
  async turn(work: BackgroundWork): Promise<void> {
    const { leases } = this.parts;
    const { signal } = this.#ending;
    if (work.isExclusive !== true || leases === undefined) return this.#begin(work, signal);
    const askedMs = performance.now();
    const lease = await leases.acquire(`work-${work.name}`, this.#holder, LEASE_MS);
    if (lease === undefined) return;
    const onError = (error: unknown): void => {
      this.parts.onError(work, error);
    };
    const held = new HeldLease(leases, lease, LEASE_MS, onError, askedMs);
    try {
      await this.#begin(work, AbortSignal.any([signal, held.lost]), held);
    } finally {
      await held.release();
    }
  }

  async #begin(work: BackgroundWork, signal: AbortSignal, held?: HeldLease): Promise<void> {
    if ('look' in work) return work.look(signal);
    const pass = await this.parts.gate.enter(work.removes === undefined ? {} : { removes: work.removes });
    return work.turn(held === undefined ? pass : passWhileHeld(pass, held), signal);
  }

  async #repeat(work: BackgroundWork, progress: Progress): Promise<void> {
    const { signal } = this.#ending;
    const { everyMs, retryMaxMs = everyMs } = work;
    const backoff = new Backoff(everyMs, retryMaxMs);
    let pauseMs = work.isDue === true ? 0 : everyMs;
    const isStopped = (): boolean => signal.aborted;
    for (;;) {
      if (pauseMs > 0) await sleep(pauseMs, signal, { ref: false });
      if (isStopped()) return;
      const begunMs = performance.now();
      progress.isRunning = true;
      try {
        await this.turn(work);
        progress.turns++;
        progress.failures = 0;
        backoff.reset();
        pauseMs = everyMs;
      } catch (error) {
        progress.failures++;
        // What went on for long has made progress before it failed.
        if (performance.now() - begunMs > retryMaxMs) backoff.reset();
        pauseMs = retryMaxMs > everyMs ? backoff.next() : everyMs;
        if (!isStopped()) tellFailure((failure) => this.parts.onError(work, failure), error);
      }
      progress.isRunning = false;
    }
  }
}

function passWhileHeld(pass: ReadSidePass, held: HeldLease): ReadSidePass {
  return {
    position: pass.position,
    assertValid: async (position) => {
      await pass.assertValid(position);
      if (!held.isSure) throw notReady('Another process may be at this work.');
    },
  };
}
