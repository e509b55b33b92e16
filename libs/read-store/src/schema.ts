import type { CollectionSchema, Key } from './read-store.js';

/** Names become parts of statements, so only plain ones are let in. */
export function checkedName(name: string, what: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(name))
    throw new Error(`Not a name for a ${what}: ${JSON.stringify(name)}`);
  return name;
}

/** Text that does not come back from every column or index as it went in: it ends at a NUL, and half a surrogate pair is replaced. */
export const FRAGILE_TEXT = /[\0\p{Surrogate}]/u;

/** @throws TypeError for a key of another type than declared, or one that might not come back as it went in. */
export function checkedKey(schema: CollectionSchema, key: unknown): Key {
  if (schema.key === 'integer' ? Number.isSafeInteger(key) : typeof key === 'string' && !FRAGILE_TEXT.test(key))
    return key as Key;
  throw new TypeError(`The keys of ${schema.name} are declared ${schema.key}; this ${typeof key} is none.`);
}

/** Filters come from our own code; deeper ones than this are a mistake. */
const FILTER_DEPTH_MAX = 32;

/** @throws RangeError */
export function checkDepth(depth: number): void {
  if (depth > FILTER_DEPTH_MAX) throw new RangeError(`A filter may be ${FILTER_DEPTH_MAX} levels deep.`);
}

/** A value as a declared field is searched: a boolean as 0 or 1, nothing as null. @throws TypeError for another type. */
export function declaredValue(
  schema: CollectionSchema,
  field: string,
  type: 'integer' | 'text',
  value: unknown,
): number | string | null {
  if (value === undefined || value === null) return null;
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'integer') {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'boolean') return value ? 1 : 0;
  }
  throw new TypeError(`The field ${field} of ${schema.name} is declared ${type} and got a ${typeof value}.`);
}

/** Limits of searches and bounds of counts. @throws RangeError */
export function checkedCount(count: number, what: string): number {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`A ${what} is a whole number.`);
  return count;
}

/** What of a schema makes collections differ, in one spelling, whatever the order its parts were written in. */
export function canonicalSchema({ name, key, fields, indexes, many, words }: CollectionSchema): object {
  const sorted = (types: Readonly<Record<string, 'integer' | 'text'>> = {}): object =>
    Object.fromEntries(Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    name,
    key,
    fields: sorted(fields),
    indexes,
    many: sorted(many),
    ...(words !== undefined && { words: { field: words.field, version: words.version } }),
  };
}
