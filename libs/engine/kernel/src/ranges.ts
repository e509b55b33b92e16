/** A set of ids as inclusive ranges, ascending and disjoint: how events name many messages in few bytes. */
export type Ranges = readonly (readonly [first: number, last: number])[];

/** @param ids in any order, repeats allowed */
export function rangesOf(ids: Iterable<number>): [first: number, last: number][] {
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  const ranges: [first: number, last: number][] = [];
  for (const id of sorted) {
    const last = ranges.at(-1);
    if (last !== undefined && id === last[1] + 1) last[1] = id;
    else ranges.push([id, id]);
  }
  return ranges;
}

/** The ids, ascending. */
export function idsIn(ranges: Ranges): number[] {
  const ids: number[] = [];
  for (const [first, last] of ranges) for (let id = first; id <= last; id++) ids.push(id);
  return ids;
}

export function includesId(ranges: Ranges, id: number): boolean {
  return ranges.some(([first, last]) => first <= id && id <= last);
}
