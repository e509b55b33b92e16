import { setMaxListeners } from 'node:events';
import { Backoff, newId, sleep, tellFailure } from '#kernel';
import type { BackgroundWork } from './background-work.js';
import { HeldLease } from './held-lease.js';
import type { ReadSideGate } from './read-side-gate.js';
import type { Leases } from './sharing.js';

/** A process without a sign of life for this long has lost its exclusive work. */
const LEASE_MS = 10_000;
/**
 * A lease whose holder was killed is over when it has been watched for `LEASE_MS`, by looks that are not far apart: turns are too rare for
 * that.
 */
const LOOK_EVERY_MS = 2_000;

export interface BackgroundRunnerParts {
  readonly gate: ReadSideGate;
  /** Where processes agree who does exclusive work; undefined when there is one process. */
  readonly leases?: Leases | undefined;
  /** Called with every failure. The next turn tries again. */
  readonly onError: (work: BackgroundWork, error: unknown) => void;
  /** For specs: how often a lease of another process is looked at, and how long it lasts without a sign of that process. */
  readonly lookEveryMs?: number;
  readonly leaseMs?: number;
}

/** How one work goes, for operators. */
export interface WorkStatus {
  readonly name: string;
  readonly isRunning: boolean;
  /** Turns that succeeded. */
  readonly turns: number;
  /** Turns that failed since the last one that succeeded. */
  readonly failures: number;
  /** Longest pause between turns that fail. */
  readonly retryMaxMs: number;
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

  constructor(private readonly parts: BackgroundRunnerParts) {
    // Each work listens to it during a pause, and Node warns of more than ten listeners.
    setMaxListeners(0, this.#ending.signal);
  }

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
    return [...this.#works].map(([{ name, everyMs, retryMaxMs = everyMs }, progress]) => ({
      name,
      // No pause is shorter than that between turns that succeed.
      retryMaxMs: Math.max(everyMs, retryMaxMs),
      ...progress,
    }));
  }

  /**
   * One turn, unless another process is at exclusive work.
   * @throws Refusal SERVER_NOT_READY when the read side is not whole, or was replaced meanwhile
   */
  async turn(work: BackgroundWork): Promise<void> {
    const { leases } = this.parts;
    const { signal } = this.#ending;
    if (work.isOff === true) return;
    if (work.isExclusive !== true || leases === undefined) return this.#begin(work, signal);
    const held = await this.#acquired(work, leases);
    if (held === undefined) return;
    try {
      await this.#begin(work, AbortSignal.any([signal, held.lost]), held);
    } finally {
      await held.release();
    }
  }

  /** Undefined while another process gives signs that it is at the work. */
  async #acquired(work: BackgroundWork, leases: Leases): Promise<HeldLease | undefined> {
    const { lookEveryMs = LOOK_EVERY_MS, leaseMs = LEASE_MS } = this.parts;
    const { signal } = this.#ending;
    const onError = (error: unknown): void => {
      this.parts.onError(work, error);
    };
    for (const untilMs = performance.now() + leaseMs + 2 * lookEveryMs; ;) {
      const askedMs = performance.now();
      const lease = await leases.acquire(`work-${work.name}`, this.#holder, leaseMs);
      if (lease !== undefined) return new HeldLease(leases, lease, leaseMs, onError, askedMs);
      if (performance.now() > untilMs) return undefined;
      await sleep(lookEveryMs, signal, { ref: false });
      if (signal.aborted) return undefined;
    }
  }

  async #begin(work: BackgroundWork, signal: AbortSignal, held?: HeldLease): Promise<void> {
    if ('look' in work) return work.look(signal);
    const pass = await this.parts.gate.enter(work.removes === undefined ? {} : { removes: work.removes });
    return work.turn(held === undefined ? pass : held.guarded(pass), signal);
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
