import { IdMap } from './id-map.js';

interface Entry<T> {
  readonly key: string;
  readonly value: T;
}

/** Immutable map from texts, in no order. A change costs the same however large the map is. */
export class KeyMap<T> {
  private constructor(private readonly buckets: IdMap<readonly Entry<T>[]>) {}

  static empty<T>(): KeyMap<T> {
    return new KeyMap<T>(IdMap.empty());
  }

  get(key: string): T | undefined {
    return this.buckets.get(hashOf(key))?.find((entry) => entry.key === key)?.value;
  }

  /** @param value undefined to delete the key */
  set(key: string, value: T | undefined): KeyMap<T> {
    const hash = hashOf(key);
    const bucket = this.buckets.get(hash) ?? [];
    const others = bucket.filter((entry) => entry.key !== key);
    if (value !== undefined) others.push({ key, value });
    else if (others.length === bucket.length) return this;
    return new KeyMap<T>(others.length === 0 ? this.buckets.delete(hash) : this.buckets.set(hash, others));
  }

  *[Symbol.iterator](): IterableIterator<[string, T]> {
    for (const bucket of this.buckets.values()) for (const { key, value } of bucket) yield [key, value];
  }
}

/** FNV-1a, of 20 bits: four levels of nodes. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return ((hash >>> 20) ^ hash) & 0xfffff;
}
