/** State of a caller's budget after a call. Times are those of the limiter's clock. */
export interface Budget {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtMs: number;
  readonly exceeded: boolean;
}

interface Window {
  count: number;
  resetAtMs: number;
}

export interface RateLimit {
  readonly calls: number;
  readonly perMs: number;
  /** Most keys remembered at once; about 100 bytes each. The ones that would reset first are forgotten first. */
  readonly keysMax?: number;
}

const KEYS_MAX = 50_000;

/**
 * Counts calls per key in windows of fixed length that begin with a key's first call. In memory, and so per process:
 * with several api processes a caller has as many budgets. All windows are equally long, so the order in which they
 * were opened, which a Map keeps, is the order in which they end; forgetting is a look at the front.
 */
export class RateLimiter<Key extends string | number = string | number> {
  readonly #windows = new Map<Key, Window>();
  readonly #limit: Required<RateLimit>;

  constructor(limit: RateLimit) {
    this.#limit = { keysMax: KEYS_MAX, ...limit };
  }

  /** Counts one call. Calls beyond the limit are not counted, so that knocking on does not prolong anything. */
  take(key: Key, nowMs: number): Budget {
    const window = this.#open(key, nowMs);
    const exceeded = window.count >= this.#limit.calls;
    if (!exceeded) window.count++;
    const { calls } = this.#limit;
    return { limit: calls, remaining: calls - window.count, resetAtMs: window.resetAtMs, exceeded };
  }

  /** Forgets what was counted for the key. */
  forget(key: Key): void {
    this.#windows.delete(key);
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#windows.size;
  }

  #open(key: Key, nowMs: number): Window {
    const known = this.#windows.get(key);
    if (known !== undefined && nowMs < known.resetAtMs) return known;
    if (known !== undefined) this.#windows.delete(key);
    this.#makeRoom(nowMs);
    const opened = { count: 0, resetAtMs: nowMs + this.#limit.perMs };
    this.#windows.set(key, opened);
    return opened;
  }

  #makeRoom(nowMs: number): void {
    let looked = 0;
    for (const [key, { resetAtMs }] of this.#windows) {
      // Two looks for each new key are enough to keep up with whatever has expired.
      if (looked++ === 2) return;
      if (nowMs < resetAtMs && this.#windows.size < this.#limit.keysMax) return;
      this.#windows.delete(key);
    }
  }
}
