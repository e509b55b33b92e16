/** Children of a node. */
const WIDTH = 32;

type Node = readonly unknown[];

/**
 * Immutable map from non-negative integers, in ascending order: a radix tree, so that a change copies a few nodes of 32 slots
 * however large the map is. Versions share what they have in common.
 */
export class IdMap<T> {
  static readonly EMPTY = new IdMap<never>([], WIDTH, 0);

  private constructor(
    private readonly root: Node,
    /** IDs below this have a place. */
    private readonly capacity: number,
    readonly size: number,
  ) {}

  static empty<T>(): IdMap<T> {
    return IdMap.EMPTY as IdMap<unknown> as IdMap<T>;
  }

  static of<T>(entries: Iterable<readonly [number, T]>): IdMap<T> {
    let map = IdMap.empty<T>();
    for (const [id, value] of entries) map = map.set(id, value);
    return map;
  }

  get(id: number): T | undefined {
    if (!(id >= 0 && id < this.capacity)) return undefined;
    let node: unknown = this.root;
    for (let span = this.capacity / WIDTH; span >= 1; span /= WIDTH)
      node = (node as Node | undefined)?.[slotOf(id, span)];
    return node as T | undefined;
  }

  has(id: number): boolean {
    return this.get(id) !== undefined;
  }

  /** @param value not undefined */
  set(id: number, value: T): IdMap<T> {
    let { root, capacity } = this;
    while (id >= capacity) {
      root = root.length === 0 ? root : [root];
      capacity *= WIDTH;
    }
    const before = this.get(id);
    if (before === value) return this;
    return new IdMap<T>(
      changed(root, capacity / WIDTH, id, value),
      capacity,
      this.size + (before === undefined ? 1 : 0),
    );
  }

  delete(id: number): IdMap<T> {
    if (!this.has(id)) return this;
    if (this.size === 1) return IdMap.empty<T>();
    return new IdMap<T>(changed(this.root, this.capacity / WIDTH, id, undefined), this.capacity, this.size - 1);
  }

  *[Symbol.iterator](): IterableIterator<[number, T]> {
    yield* entriesIn(this.root, this.capacity / WIDTH, 0) as Iterable<[number, T]>;
  }

  *keys(): IterableIterator<number> {
    for (const [id] of this) yield id;
  }

  *values(): IterableIterator<T> {
    for (const [, value] of this) yield value;
  }
}

/** Immutable set of IDs. */
export type IdSet = IdMap<true>;

export const NO_IDS: IdSet = IdMap.empty<true>();

export function idSet(ids: Iterable<number>): IdSet {
  return IdMap.of([...ids].map((id) => [id, true]));
}

function slotOf(id: number, span: number): number {
  return Math.floor(id / span) % WIDTH;
}

function changed(node: Node, span: number, id: number, value: unknown): Node {
  const slot = slotOf(id, span);
  const copy = node.slice();
  // Without holes, an array stays fast.
  while (copy.length <= slot) copy.push(undefined);
  copy[slot] = span === 1 ? value : changed((node[slot] as Node | undefined) ?? [], span / WIDTH, id, value);
  return copy;
}

function* entriesIn(node: Node, span: number, from: number): Iterable<[number, unknown]> {
  for (const [slot, child] of node.entries()) {
    if (child === undefined) continue;
    const at = from + slot * span;
    if (span === 1) yield [at, child];
    else yield* entriesIn(child as Node, span / WIDTH, at);
  }
}
