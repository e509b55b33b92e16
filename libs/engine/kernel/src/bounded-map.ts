/**
 * LRU map with a maximum size: evicts the least recently used entry when full, so that a cache does not grow with the
 * data.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();

  constructor(readonly entriesMax: number) {
    if (!Number.isInteger(entriesMax) || entriesMax < 1)
      throw new RangeError('A bounded map holds at least one entry.');
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value and marks the entry as used. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    // A JavaScript map keeps insertion order, so the least recently used key is always first.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.entriesMax) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
