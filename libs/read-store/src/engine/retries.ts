import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreUnavailable } from '#event-store';
import { ReadStoreUnavailable } from '../read-store.js';

const PAUSE_FIRST_MS = 20;
const PAUSE_MAX_MS = 2_000;

/** Pauses that grow, for a bounded time altogether. */
export class Retries {
  readonly #startedMs = performance.now();
  #pauseMs = PAUSE_FIRST_MS;

  constructor(
    private readonly limitMs: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Waits for the next try; false when the time is up or the work is called off. */
  async next(): Promise<boolean> {
    const leftMs = this.limitMs - (performance.now() - this.#startedMs);
    if (leftMs <= 0 || this.signal.aborted) return false;
    try {
      await pause(Math.min(this.#pauseMs, leftMs), undefined, { signal: this.signal });
    } catch {
      // Only the signal ends a pause early.
      return false;
    }
    this.#pauseMs = Math.min(this.#pauseMs * 2, PAUSE_MAX_MS);
    return true;
  }
}

/** Repeats work that a failing store holds up, and knows while something is held up. */
export class Perseverance {
  #stalls = 0;

  constructor(
    private readonly limitMs: number,
    private readonly signal: AbortSignal,
    private readonly stalled: (failure: Error) => void,
  ) {}

  get isStalled(): boolean {
    return this.#stalls > 0;
  }

  /** Repeats what the read store hinders. The last failure is thrown when the time is up. */
  readonly persistently = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ReadStoreUnavailable)) throw error;
      return this.repeat(work, error, this.retries());
    }
  };

  retries(): Retries {
    return new Retries(this.limitMs, this.signal);
  }

  /** Tries again, after a failure, until it works or the time is up; the last failure is thrown then. */
  async repeat<Result>(work: () => Promise<Result>, failure: Error, retries: Retries): Promise<Result> {
    if (this.#stalls++ === 0) this.stalled(failure);
    try {
      for (let latest = failure; ;) {
        if (!(await retries.next())) throw latest;
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof ReadStoreUnavailable || error instanceof EventStoreUnavailable)) throw error;
          latest = error;
        }
      }
    } finally {
      this.#stalls--;
    }
  }
}
