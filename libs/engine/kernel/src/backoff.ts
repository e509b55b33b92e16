import { setTimeout as pause } from 'node:timers/promises';

/**
 * Exponential backoff with a limit. Each pause is between half and all of its length, at random, so that callers that
 * failed together do not retry together.
 */
export class Backoff {
  #nextMs: number;

  constructor(
    private readonly firstMs: number,
    private readonly longestMs: number,
  ) {
    this.#nextMs = firstMs;
  }

  /** Restarts with the shortest pause, after a success. */
  reset(): void {
    this.#nextMs = this.firstMs;
  }

  /** The length of the next pause, in milliseconds. */
  next(): number {
    const ms = this.#nextMs * (0.5 + Math.random() / 2);
    this.#nextMs = Math.min(this.#nextMs * 2, this.longestMs);
    return ms;
  }
}

/**
 * Waits for the time or until the signal aborts; rejects in neither case. With `ref: false` the process may end
 * meanwhile.
 */
export async function sleep(ms: number, signal: AbortSignal, options: { readonly ref?: boolean } = {}): Promise<void> {
  try {
    await pause(ms, undefined, { ...options, signal });
  } catch {
    // Only the signal ends a pause early, and the caller checks it.
  }
}
