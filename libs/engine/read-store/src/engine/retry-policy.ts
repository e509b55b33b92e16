import { setMaxListeners } from 'node:events';
import { EventStoreUnavailable } from '#event-store';
import { Backoff, sleep } from '#kernel';
import { ReadStoreUnavailable } from '../read-store.js';

const PAUSE_FIRST_MS = 20;
/** Longest pause between attempts, which is also the longest wait after a store is back. */
const PAUSE_MAX_MS = 500;

/** Retries of one piece of work: backoff within a time limit. */
export class Retries {
  readonly #startedMs = performance.now();
  readonly #backoff = new Backoff(PAUSE_FIRST_MS, PAUSE_MAX_MS);

  constructor(
    private readonly limitMs: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Waits for the next attempt; false at the time limit or when the signal aborts. */
  async next(): Promise<boolean> {
    const leftMs = this.limitMs - (performance.now() - this.#startedMs);
    if (leftMs <= 0) return false;
    await sleep(Math.min(this.#backoff.next(), leftMs), this.signal);
    return !this.signal.aborted;
  }
}

/** Retries while the stores are unavailable; reports whether a retry is in progress. */
export class RetryPolicy {
  #stalls = 0;

  constructor(
    private readonly limitMs: () => number,
    private readonly signal: AbortSignal,
    private readonly stalled: (failure: Error) => void,
    private readonly goesOn: () => void = () => undefined,
  ) {
    // Each projection loads its documents at once and listens to it during a pause, and Node warns of more than ten listeners.
    setMaxListeners(0, signal);
  }

  get isStalled(): boolean {
    return this.#stalls > 0;
  }

  /**
   * Runs the work, and retries while the read store is unavailable.
   * @throws the last failure at the time limit
   */
  readonly persistently = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ReadStoreUnavailable)) throw error;
      return this.repeat(work, error, this.retries());
    }
  };

  retries(): Retries {
    return new Retries(this.limitMs(), this.signal);
  }

  /**
   * Retries the work after a failure, while a store is unavailable.
   * @throws the last failure when the retries end
   */
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
      if (--this.#stalls === 0) this.goesOn();
    }
  }
}
