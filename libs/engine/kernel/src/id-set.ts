const WORD_BITS = 32;
/** A short list is shorter than the bitmap of its range, unless its IDs are neighbours. */
const LISTED_DIGITS = 7;

/** An `IdSet` as JSON: its IDs, or the first word of its bitmap and the bitmap in base64, whichever is shorter. */
export type PackedIds = readonly number[] | readonly [firstWord: number, bitmap: string];

/** An `IdSet` that nobody changes. */
export type ReadonlyIdSet = Omit<IdSet, 'add' | 'delete' | 'addAll'>;

/**
 * A set of small positive integers as a bitmap of the range that they span: ten thousand neighbours take little more than a
 * kilobyte, and sets are united and compared 32 members at a time.
 */
export class IdSet implements Iterable<number> {
  /** Number of the first word; its lowest bit stands for the ID `32 * #first`. */
  #first = 0;
  #words = new Uint32Array(0);

  static of(ids: Iterable<number>): IdSet {
    const set = new IdSet();
    const listed = Array.isArray(ids) ? (ids as readonly number[]) : [...ids];
    let [least, most] = [Infinity, -Infinity];
    for (const id of listed) {
      least = Math.min(least, id);
      most = Math.max(most, id);
    }
    if (listed.length > 0) set.#reach(wordOf(least), wordOf(most));
    for (const id of listed) set.add(id);
    return set;
  }

  static unpack(packed: PackedIds): IdSet {
    const [first, bitmap] = packed;
    if (typeof bitmap !== 'string') return IdSet.of(packed as readonly number[]);
    const set = new IdSet();
    set.#first = first;
    // A copy of its own is aligned to words.
    set.#words = new Uint32Array(Uint8Array.from(Buffer.from(bitmap, 'base64')).buffer);
    return set;
  }

  has(id: number): boolean {
    return ((this.#words[wordOf(id) - this.#first] ?? 0) & bitOf(id)) !== 0;
  }

  get isEmpty(): boolean {
    return this.#words.every((word) => word === 0);
  }

  get size(): number {
    let size = 0;
    for (const word of this.#words) size += bitsIn(word);
    return size;
  }

  intersects(other: ReadonlyIdSet): boolean {
    const { first, words } = IdSet.#partsOf(other);
    const end = Math.min(this.#first + this.#words.length, first + words.length);
    for (let at = Math.max(this.#first, first); at < end; at++)
      if (((this.#words[at - this.#first] ?? 0) & (words[at - first] ?? 0)) !== 0) return true;
    return false;
  }

  /** The least ID, from `from` on, that the other set lacks. */
  firstNotIn(other: ReadonlyIdSet, from = 0): number | undefined {
    const { first, words } = IdSet.#partsOf(other);
    const start = Math.max(wordOf(from), this.#first);
    for (let at = start; at < this.#first + this.#words.length; at++) {
      let word = (this.#words[at - this.#first] ?? 0) & ~(words[at - first] ?? 0);
      if (at === wordOf(from)) word &= -bitOf(from);
      if (word !== 0) return at * WORD_BITS + lowestBit(word);
    }
    return undefined;
  }

  add(id: number): void {
    const word = wordOf(id);
    this.#reach(word, word);
    this.#words[word - this.#first] = (this.#words[word - this.#first] ?? 0) | bitOf(id);
  }

  delete(id: number): void {
    const at = wordOf(id) - this.#first;
    const word = this.#words[at];
    if (word !== undefined) this.#words[at] = word & ~bitOf(id);
  }

  addAll(other: ReadonlyIdSet): void {
    const { first, words } = IdSet.#partsOf(other);
    if (words.length === 0) return;
    this.#reach(first, first + words.length - 1);
    const offset = first - this.#first;
    for (let at = 0; at < words.length; at++)
      this.#words[at + offset] = (this.#words[at + offset] ?? 0) | (words[at] ?? 0);
  }

  /** The IDs that the other set lacks, as a set of its own. */
  minus(other: ReadonlyIdSet): IdSet {
    const { first, words } = IdSet.#partsOf(other);
    const rest = this.#copy();
    for (let at = 0; at < rest.#words.length; at++)
      rest.#words[at] = (rest.#words[at] ?? 0) & ~(words[at + rest.#first - first] ?? 0);
    return rest;
  }

  /** A set of its own with these IDs as well. */
  with(ids: Iterable<number>): IdSet {
    const more = this.#copy();
    more.addAll(IdSet.of(ids));
    return more;
  }

  /** A set of its own without these IDs. */
  without(ids: Iterable<number>): IdSet {
    return this.minus(IdSet.of(ids));
  }

  /** Ascending. */
  toArray(): number[] {
    const ids: number[] = [];
    for (let at = 0; at < this.#words.length; at++) {
      const base = (at + this.#first) * WORD_BITS;
      for (let word = this.#words[at] ?? 0; word !== 0; word &= word - 1) ids.push(base + lowestBit(word));
    }
    return ids;
  }

  /** Ascending. */
  [Symbol.iterator](): IterableIterator<number> {
    return this.toArray().values();
  }

  /** The same for the same IDs, whatever the set had before. */
  pack(): PackedIds {
    let [start, end] = [0, this.#words.length];
    while (start < end && this.#words[start] === 0) start++;
    while (start < end && this.#words[end - 1] === 0) end--;
    const { buffer, byteOffset, byteLength } = this.#words.subarray(start, end);
    if (this.size * LISTED_DIGITS <= byteLength * (4 / 3)) return this.toArray();
    return [this.#first + start, Buffer.from(buffer, byteOffset, byteLength).toString('base64')];
  }

  static #partsOf(set: ReadonlyIdSet): { readonly first: number; readonly words: Uint32Array } {
    const whole = set as IdSet;
    return { first: whole.#first, words: whole.#words };
  }

  #copy(): IdSet {
    const copy = new IdSet();
    copy.#first = this.#first;
    copy.#words = this.#words.slice();
    return copy;
  }

  /** Makes room for these words and those between them. */
  #reach(first: number, last: number): void {
    if (this.#words.length === 0) {
      this.#first = first;
      this.#words = new Uint32Array(last - first + 1);
      return;
    }
    const start = Math.min(first, this.#first);
    const end = Math.max(last + 1, this.#first + this.#words.length);
    if (end - start === this.#words.length) return;
    const words = new Uint32Array(end - start);
    words.set(this.#words, this.#first - start);
    this.#first = start;
    this.#words = words;
  }
}

const wordOf = (id: number): number => Math.floor(id / WORD_BITS);
const bitOf = (id: number): number => 1 << (id % WORD_BITS);
const lowestBit = (word: number): number => WORD_BITS - 1 - Math.clz32(word & -word);

/** Adds neighbouring bits, then pairs, then nibbles and bytes. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
