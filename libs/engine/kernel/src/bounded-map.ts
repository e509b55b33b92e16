interface Entry<Key, Value> {
  readonly key: Key;
  value: Value;
  older: Entry<Key, Value> | undefined;
  newer: Entry<Key, Value> | undefined;
}

/**
 * LRU map with a maximum size: evicts the least recently used entry when full, so that a cache does not grow with the
 * data. The order of use is a linked list. The insertion order of a JavaScript map would do, but each use would delete
 * its key and add it again, and V8 walks over every deleted entry of a key until the table is rebuilt: a key in constant
 * use beside thousands of others costs a tenth of a millisecond.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Entry<Key, Value>>();
  #oldest: Entry<Key, Value> | undefined;
  #newest: Entry<Key, Value> | undefined;

  constructor(readonly entriesMax: number) {
    if (!Number.isInteger(entriesMax) || entriesMax < 1)
      throw new RangeError('A bounded map holds at least one entry.');
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value and marks the entry as used. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#use(entry);
    return entry.value;
  }

  set(key: Key, value: Value): void {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      known.value = value;
      this.#use(known);
      return;
    }
    const entry = { key, value, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#append(entry);
    if (this.#entries.size > this.entriesMax && this.#oldest !== undefined) this.delete(this.#oldest.key);
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#unlink(entry);
  }

  #use(entry: Entry<Key, Value>): void {
    if (entry === this.#newest) return;
    this.#unlink(entry);
    this.#append(entry);
  }

  #append(entry: Entry<Key, Value>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unlink({ older, newer }: Entry<Key, Value>): void {
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
  }
}
