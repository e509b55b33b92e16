/** Lists of IDs in ascending order, as the server sends them. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
export const ascending = (a: number, b: number): number => a - b;

/** The IDs together, ascending, without repeats. `some` is ascending. */
export function union(some: readonly number[], others: readonly number[]): readonly number[] {
  const fresh = others.filter((id) => !includes(some, id));
  if (fresh.length === 0) return some;
  const last = some.at(-1) ?? -1;
  if (fresh.every((id, index) => id > (fresh[index - 1] ?? last))) return some.concat(fresh);
  return [...new Set([...some, ...fresh])].sort(ascending);
}

export function without(some: readonly number[], others: readonly number[]): readonly number[] {
  if (!others.some((id) => some.includes(id))) return some;
  const gone = new Set(others);
  return some.filter((id) => !gone.has(id));
}

/** Index of the first of an ascending list that is not below the ID. */
export function indexOf(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? Infinity) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function includes(ids: readonly number[], id: number): boolean {
  return ids[indexOf(ids, id)] === id;
}

/** An object without one of its keys. */
export function lacking<T extends object>(record: T, key: PropertyKey): T {
  const { [key as keyof T]: _, ...rest } = record;
  return rest as T;
}
