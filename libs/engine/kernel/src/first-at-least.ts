/**
 * Index of the first item whose ID is not smaller; the number of items when all are.
 * @param items ascending by ID
 * @param from index at which the search begins
 */
export function firstAtLeast<Item>(
  items: readonly Item[],
  least: number,
  idOf: (item: Item) => number,
  from = 0,
): number {
  let low = from;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (idOf(items[middle] as Item) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
