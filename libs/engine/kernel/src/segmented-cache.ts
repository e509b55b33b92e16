export interface CacheLimits {
  readonly entriesMax: number;
  /** In the unit of the weights, such as bytes. */
  readonly weightMax: number;
}

/** Share of the limits for entries that were used more than once. */
const PROTECTED_SHARE = 0.8;

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
}

/** Entries in order of use, the least recently used first, with their total weight. */
class Segment<Key, Value> {
  readonly entries = new Map<Key, Entry<Value>>();
  weight = 0;

  put(key: Key, entry: Entry<Value>): void {
    this.take(key);
    this.entries.set(key, entry);
    this.weight += entry.weight;
  }

  take(key: Key): Entry<Value> | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.weight -= entry.weight;
    return entry;
  }

  /** Removes the entry that was used longest ago. */
  takeOldest(): readonly [Key, Entry<Value>] | undefined {
    for (const oldest of this.entries) {
      this.take(oldest[0]);
      return oldest;
    }
    return undefined;
  }

  exceeds({ entriesMax, weightMax }: CacheLimits, share: number, besides = { size: 0, weight: 0 }): boolean {
    return this.entries.size + besides.size > entriesMax * share || this.weight + besides.weight > weightMax * share;
  }
}

/**
 * Segmented LRU cache, limited by the number of entries and by their weight: an entry is on probation until it is used again, and
 * those on probation are evicted first. So any number of entries that are used once do not displace those in use.
 */
export class SegmentedCache<Key, Value> {
  readonly #probation = new Segment<Key, Value>();
  readonly #protected = new Segment<Key, Value>();

  constructor(private readonly limits: CacheLimits) {}

  get size(): number {
    return this.#probation.entries.size + this.#protected.entries.size;
  }

  get weight(): number {
    return this.#probation.weight + this.#protected.weight;
  }

  /** Returns the value, and marks the entry as used again. */
  get(key: Key): Value | undefined {
    const entry = this.#protected.take(key) ?? this.#probation.take(key);
    if (entry === undefined) return undefined;
    this.#protected.put(key, entry);
    this.#trim();
    return entry.value;
  }

  /** Adds an entry, or replaces it where it is. One that is heavier than the whole cache may be is not kept. */
  set(key: Key, value: Value, weight: number): void {
    const segment = this.#protected.entries.has(key) ? this.#protected : this.#probation;
    segment.take(key);
    if (weight > this.limits.weightMax) return;
    segment.put(key, { value, weight });
    this.#trim();
  }

  #trim(): void {
    while (this.#protected.exceeds(this.limits, PROTECTED_SHARE)) {
      const oldest = this.#protected.takeOldest();
      if (oldest === undefined) break;
      this.#probation.put(...oldest);
    }
    const besides = { size: this.#protected.entries.size, weight: this.#protected.weight };
    while (this.#probation.exceeds(this.limits, 1, besides)) if (this.#probation.takeOldest() === undefined) return;
  }
}
