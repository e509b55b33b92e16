import type { Saving } from '../../settings/saving.js';
import { useChosenBy } from '../../settings/setting-field.js';

/** How an entry moves by one; undefined at the end of the list. */
export interface Move {
  readonly up: (() => void) | undefined;
  readonly down: (() => void) | undefined;
}

/**
 * A list in the order that the reader gives it, at once; what is refused goes back to what it was.
 * @param save sends all IDs in their new order
 */
export function useOrder<T extends { readonly id: number }>(
  entries: readonly T[],
  run: Saving['run'],
  save: (ids: readonly number[]) => Promise<unknown>,
): readonly [inOrder: readonly T[], moveOf: (id: number) => Move] {
  const known = JSON.stringify(entries.map(({ id }) => id));
  const { choose, shown } = useChosenBy(run, known, (next) => save(idsIn(next)));
  const order = idsIn(shown);
  const inOrder = entries.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  const ids = inOrder.map(({ id }) => id);
  const exchange = (at: number): void => {
    const next = [...ids];
    next.splice(at, 2, ...next.slice(at, at + 2).reverse());
    choose(JSON.stringify(next));
  };
  const moveOf = (id: number): Move => {
    const at = ids.indexOf(id);
    return {
      up: at > 0 ? () => exchange(at - 1) : undefined,
      down: at < ids.length - 1 ? () => exchange(at) : undefined,
    };
  };
  return [inOrder, moveOf];
}

const idsIn = (order: string): readonly number[] => JSON.parse(order) as readonly number[];
