import { unreachable } from '#kernel';
import type { CollectionSchema, FieldValue, Filter, Find, Key, Stored } from './read-store.js';

type Plain = Readonly<Record<string, unknown>>;

/** Reference implementation of filters and sorts over a map, which every adapter is compared with. */
export function findPlainly(
  schema: CollectionSchema,
  docs: ReadonlyMap<Key, Plain>,
  find: Find,
): readonly Stored<Plain>[] {
  const matching = [...docs].filter(([key, doc]) => find.where === undefined || matches(schema, key, doc, find.where));
  const parts = find.sort ?? [];
  const last = parts.at(-1)?.direction ?? 'ascending';
  const sort = [...parts, { field: '$key', direction: last }];
  matching.sort(([keyA, a], [keyB, b]) => {
    for (const { field, direction } of sort) {
      const order = compare(valueOf(keyA, a, field), valueOf(keyB, b, field));
      if (order !== 0) return direction === 'ascending' ? order : -order;
    }
    return 0;
  });
  return matching.slice(0, find.limit).map(([key, doc]) => ({ key, doc }));
}

export function matches(schema: CollectionSchema, key: Key, doc: Plain, filter: Filter): boolean {
  switch (filter.op) {
    case 'and':
      return filter.terms.every((term) => matches(schema, key, doc, term));
    case 'or':
      return filter.terms.some((term) => matches(schema, key, doc, term));
    case 'not':
      return !matches(schema, key, doc, filter.term);
    case 'eq':
      return valueOf(key, doc, filter.field) === filter.value;
    case 'in':
      return filter.values.includes(valueOf(key, doc, filter.field));
    case 'contains': {
      const list = filter.field === schema.words?.field ? [...schema.words.of(doc)] : doc[filter.field];
      return Array.isArray(list) && list.includes(filter.value);
    }
    case 'range': {
      const value = valueOf(key, doc, filter.field);
      if (value === null) return false;
      const { gt, gte, lt, lte } = filter;
      const bounds = [gt, gte, lt, lte].filter((bound) => bound !== undefined);
      if (bounds.some((bound) => typeof bound !== typeof value)) return false;
      return (
        (gt === undefined || compare(value, gt) > 0) &&
        (gte === undefined || compare(value, gte) >= 0) &&
        (lt === undefined || compare(value, lt) < 0) &&
        (lte === undefined || compare(value, lte) <= 0)
      );
    }
    default:
      return unreachable(filter);
  }
}

function valueOf(key: Key, doc: Plain, field: string): FieldValue {
  return field === '$key' ? key : ((doc[field] as FieldValue | undefined) ?? null);
}

/** Null first, then numbers, then text by code point. */
function compare(a: FieldValue, b: FieldValue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
