import type { Slices } from '#kernel';

/** A run of some hundred kilobytes would be built again whenever one of its items changes. */
const ITEMS_PER_RUN = 128;

interface Run<Item> {
  readonly items: readonly Item[];
  readonly bytes: Uint8Array;
}

/**
 * A long list as JSON text that is kept in runs of neighbouring items: a run is built again when one of its items has been
 * replaced, and what a change costs does not grow with the list. Items are replaced, never mutated.
 */
export class CachedRuns<Item> {
  #runs = new Map<number, Run<Item>>();
  /** Runs that the next `set` may find of use. */
  #warmed = new Map<number, Run<Item>>();

  /**
   * @param idOf numbers the items densely and for ever, so that one that leaves the list does not move the others to
   *   other runs
   */
  constructor(
    private readonly idOf: (item: Item) => number,
    private readonly textOf: (item: Item) => string,
  ) {}

  /** Replaces the list. */
  set(items: Iterable<Item>): void {
    const runs = new Map<number, Run<Item>>();
    for (const [number, part] of this.#parts(items)) runs.set(number, this.#run(number, part));
    this.#runs = runs;
    this.#warmed = new Map();
  }

  /**
   * Builds runs of these items in slices, so that the next `set` finds those whose items are not replaced meanwhile. The list
   * stays as it is: it may be replaced between two slices.
   */
  async warm(items: Iterable<Item>, slices: Slices): Promise<void> {
    for (const [number, part] of this.#parts(items)) {
      this.#warmed.set(number, this.#run(number, part));
      if (slices.isOver) await slices.next();
    }
  }

  /**
   * The list's items as bytes, with commas between the items of each run.
   * @param own an item of which this list alone says something else
   */
  bytes(own?: { readonly item: Item; readonly text: string }): Uint8Array[] {
    const ownNumber = own === undefined ? undefined : Math.floor(this.idOf(own.item) / ITEMS_PER_RUN);
    return Array.from(this.#runs, ([number, run]) => {
      if (own === undefined || number !== ownNumber) return run.bytes;
      return Buffer.from(run.items.map((item) => (item === own.item ? own.text : this.textOf(item))).join(','));
    });
  }

  #parts(items: Iterable<Item>): ReadonlyMap<number, readonly Item[]> {
    const parts = new Map<number, Item[]>();
    for (const item of items) {
      const number = Math.floor(this.idOf(item) / ITEMS_PER_RUN);
      const part = parts.get(number);
      if (part === undefined) parts.set(number, [item]);
      else part.push(item);
    }
    return parts;
  }

  #run(number: number, items: readonly Item[]): Run<Item> {
    const isSame = (known: Run<Item> | undefined): boolean =>
      known?.items.length === items.length && items.every((item, index) => item === known.items[index]);
    return (
      [this.#runs.get(number), this.#warmed.get(number)].find(isSame) ?? {
        items,
        bytes: Buffer.from(items.map(this.textOf).join(',')),
      }
    );
  }
}
