import type { Fields } from '../wire/types.js';
import type { Reducer } from './reducer.js';
import { type State, withField } from './state.js';

type Numbers = Readonly<Record<string, number>>;
type Order = (a: Fields, b: Fields) => number;
type List = readonly Fields[];

/** A change of a list in the register answer, if it was fetched. */
export function changing(state: State, field: string, change: (list: List) => List | undefined): State | undefined {
  const next = change((state.fields[field] ?? []) as List);
  return next && withField(state, field, next);
}

/** Ascending by the first of these fields in which two differ. */
export const by =
  (...keys: readonly string[]): Order =>
  (a, b) => {
    for (const key of keys) {
      const difference = ((a as Numbers)[key] ?? 0) - ((b as Numbers)[key] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  };

/**
 * A list whose events have what is added or changed, in a list or alone, and the ID of what is gone. The name of one is that of the
 * list, without the last letter.
 */
export function kept(field: string, id: string, order: Order): Reducer {
  const one = field.slice(0, -1);
  return (state, event) =>
    changing(state, field, (list) => {
      const put = [event[field] ?? event[one] ?? []].flat() as unknown as List;
      const ids = new Set<unknown>([event[`${one}_id`], ...put.map((added) => added[id])]);
      return [...list.filter((before) => !ids.has(before[id])), ...put].sort(order);
    });
}

/**
 * A list whose events add, change or take out the entry with an ID.
 * @param idName of the event, unless the entry is in it
 */
export function listed(field: string, one: string, id: string, order: Order = () => 0, idName = id): Reducer {
  return (state, { op, data, [one]: entry = {}, ...event }) =>
    changing(state, field, (list) => {
      const added = entry as Fields;
      const wanted = added[id] ?? event[idName];
      const others = list.filter((before) => before[id] !== wanted);
      switch (op) {
        case 'add':
          return [...others, added].sort(order);
        case 'update':
        case 'change':
          return list.map((before) => (before[id] === wanted ? { ...before, ...added, ...(data as Fields) } : before));
        case 'remove':
        case 'delete':
          return others;
        default:
          return undefined;
      }
    });
}
