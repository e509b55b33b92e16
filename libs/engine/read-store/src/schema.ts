import type { CollectionSchema, Key } from './read-store.js';

/** Validates a name: names become parts of SQL statements. */
export function checkedName(name: string, what: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(name))
    throw new Error(`Not a name for a ${what}: ${JSON.stringify(name)}`);
  return name;
}

/**
 * Text that some columns or indexes do not return unchanged: it ends at a NUL, and half a surrogate pair is replaced.
 */
export const FRAGILE_TEXT = /[\0\p{Surrogate}]/u;

/** @throws TypeError for a key of another type than declared, or one that might not be returned unchanged */
export function checkedKey(schema: CollectionSchema, key: unknown): Key {
  if (schema.key === 'integer' ? Number.isSafeInteger(key) : typeof key === 'string' && !FRAGILE_TEXT.test(key))
    return key as Key;
  throw new TypeError(`The keys of ${schema.name} are declared ${schema.key}; this ${typeof key} is none.`);
}

/** Filters come from the program itself; a deeper one is a programming error. */
const FILTER_DEPTH_MAX = 32;

/** @throws RangeError */
export function checkDepth(depth: number): void {
  if (depth > FILTER_DEPTH_MAX) throw new RangeError(`A filter may be ${FILTER_DEPTH_MAX} levels deep.`);
}

/**
 * Value of a declared field for a search: a boolean as 0 or 1, a missing one as null.
 * @throws TypeError for another type
 */
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

/**
 * Validates fields to be read without their documents.
 * @throws TypeError unless they are declared integers
 */
export function checkedIntegers(schema: CollectionSchema, fields: readonly string[]): readonly string[] {
  for (const field of fields) {
    if (Object.hasOwn(schema.fields, field) && schema.fields[field] === 'integer') continue;
    throw new TypeError(`${schema.name} declares no integer field ${field}.`);
  }
  return fields;
}

/**
 * Validates limits of searches and counts.
 * @throws RangeError
 */
export function checkedCount(count: number, what: string): number {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`A ${what} is a whole number.`);
  return count;
}

/** Canonical form of the parts of a schema that make collections differ, independent of the order of its parts. */
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
