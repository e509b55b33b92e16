import { IdMap } from './id-map.js';

/** Immutable map from texts, in no order. A change costs the same however large the map is. */
export class KeyMap<T> {
  private constructor(private readonly buckets: IdMap<ReadonlyMap<string, T>>) {}

  static empty<T>(): KeyMap<T> {
    return new KeyMap<T>(IdMap.empty());
  }

  get(key: string): T | undefined {
    return this.buckets.get(hashOf(key))?.get(key);
  }

  /** @param value undefined to delete the key */
  set(key: string, value: T | undefined): KeyMap<T> {
    const hash = hashOf(key);
    const bucket = new Map(this.buckets.get(hash));
    if (value !== undefined) bucket.set(key, value);
    else if (!bucket.delete(key)) return this;
    return new KeyMap<T>(bucket.size === 0 ? this.buckets.delete(hash) : this.buckets.set(hash, bucket));
  }

  *[Symbol.iterator](): IterableIterator<[string, T]> {
    for (const bucket of this.buckets.values()) yield* bucket;
  }
}

/** FNV-1a, of 20 bits: four levels of nodes. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return ((hash >>> 20) ^ hash) & 0xfffff;
}
