import type { CollectionSchema } from '../read-store.js';
import type { Bind } from './sqlite-database.js';

/** A value as the column of a declared field holds it: the form that is searched. */
export function columnValue(schema: CollectionSchema, field: string, type: 'integer' | 'text', value: unknown): Bind {
  if (value === undefined || value === null) return null;
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'integer') {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'boolean') return value ? 1 : 0;
  }
  throw new TypeError(`The field ${field} of ${schema.name} is declared ${type} and got a ${typeof value}.`);
}
