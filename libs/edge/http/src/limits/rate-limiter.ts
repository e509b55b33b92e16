/** A caller's budget after a call. Times are those of the limiter's clock. */
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
  /** Maximum keys remembered, about 100 bytes each. Those that reset first are dropped first. */
  readonly keysMax?: number;
}

const KEYS_MAX = 50_000;

/**
 * Counts calls per key in windows of fixed length that begin with a key's first call. In memory, and so per process:
 * with several api processes a caller has one budget in each. All windows have the same length, so their order in the
 * Map, that of creation, is the order in which they end; expired ones are at the front.
 */
export class RateLimiter<Key extends string | number = string | number> {
  readonly #windows = new Map<Key, Window>();
  readonly #limit: Required<RateLimit>;

  constructor(limit: RateLimit) {
    this.#limit = { keysMax: KEYS_MAX, ...limit };
  }

  /** Counts one call. Calls beyond the limit are not counted, so that further attempts prolong nothing. */
  take(key: Key, nowMs: number): Budget {
    const window = this.#open(key, nowMs);
    const exceeded = window.count >= this.#limit.calls;
    if (!exceeded) window.count++;
    const { calls } = this.#limit;
    return { limit: calls, remaining: calls - window.count, resetAtMs: window.resetAtMs, exceeded };
  }

  /** Takes back one call that was counted. */
  giveBack(key: Key): void {
    const window = this.#windows.get(key);
    if (window !== undefined && window.count > 0) window.count--;
  }

  /** Resets the count of the key. */
  forget(key: Key): void {
    this.#windows.delete(key);
  }

  /** Number of remembered keys. */
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
      // Two checks per new key are enough to keep up with expired ones.
      if (looked++ === 2) return;
      if (nowMs < resetAtMs && this.#windows.size < this.#limit.keysMax) return;
      this.#windows.delete(key);
    }
  }
}
