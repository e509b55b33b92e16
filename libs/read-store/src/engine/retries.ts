import { setTimeout as pause } from 'node:timers/promises';

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
