import { firstAtLeast, Refusal } from '#kernel';

interface Waiter {
  readonly position: number;
  readonly sinceMs: number;
  resolve(): void;
  reject(reason: unknown): void;
}

/**
 * Maximum waiting commands. There are never more than requests in flight, so this many means that none is served any
 * more.
 */
const WAITERS_MAX = 100_000;
/** Served waiters are removed from the list in chunks of this size. */
const SERVED_MAX = 1_024;

/** Waiters by position, in order. They have no timers of their own; one timer expires all of them. */
export class PositionWaiters {
  #waiters: Waiter[] = [];
  /** Waiters before this index are served. */
  #first = 0;

  get size(): number {
    return this.#waiters.length - this.#first;
  }

  wait(position: number, nowMs: number): Promise<void> {
    if (this.size >= WAITERS_MAX) return Promise.reject(notReady('Too many requests are waiting for the read side.'));
    return new Promise((resolve, reject) => {
      const waiter = { position, sinceMs: nowMs, resolve, reject };
      const last = this.#waiters.at(-1);
      if (last === undefined || last.position <= position) this.#waiters.push(waiter);
      else this.#waiters.splice(this.#indexAfter(position), 0, waiter);
    });
  }

  /** Resolves the waiters for this position or an earlier one. */
  advance(position: number): void {
    for (let waiter = this.#waiters[this.#first]; waiter !== undefined && waiter.position <= position;) {
      this.#first++;
      waiter.resolve();
      waiter = this.#waiters[this.#first];
    }
    if (this.#first === this.#waiters.length) this.#waiters.length = this.#first = 0;
    else if (this.#first > SERVED_MAX) this.#drop();
  }

  /** Refuses the waiters that have waited since before a time. */
  expire(beforeMs: number, reason: () => unknown): void {
    if (this.oldestMs() >= beforeMs) return;
    this.#drop();
    const kept: Waiter[] = [];
    for (const waiter of this.#waiters) {
      if (waiter.sinceMs < beforeMs) waiter.reject(reason());
      else kept.push(waiter);
    }
    this.#waiters = kept;
  }

  refuseAll(reason: () => unknown): void {
    this.expire(Infinity, reason);
  }

  /** Start of the longest wait; infinite without waiters. */
  oldestMs(): number {
    let oldest = Infinity;
    for (let index = this.#first; index < this.#waiters.length; index++) {
      oldest = Math.min(oldest, this.#waiters[index]?.sinceMs ?? Infinity);
    }
    return oldest;
  }

  #drop(): void {
    this.#waiters.splice(0, this.#first);
    this.#first = 0;
  }

  #indexAfter(position: number): number {
    return firstAtLeast(this.#waiters, position + 1, (waiter) => waiter.position, this.#first);
  }
}

export function notReady(message: string): Refusal {
  return new Refusal('SERVER_NOT_READY', message);
}
