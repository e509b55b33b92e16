import type { Document, Filter as MongoFilter } from 'mongodb';
import { unreachable } from '#kernel';
import type { CollectionSchema, FieldValue, Filter, Find } from '../read-store.js';
import { checkDepth, checkedKey, checkedName, declaredValue } from '../schema.js';
import { encodeName } from './document-codec.js';
import type { StoredDocument } from './document-codec.js';

/** A query on the server, or a constant: matches every document (true) or none (false). */
export type Query = MongoFilter<StoredDocument> | boolean;

type Value = string | number | boolean | null;

/** The port defines missing fields, `not` and ranges within one type as the server does (`$nor`). */
export function compileFilter(schema: CollectionSchema, filter: Filter): Query {
  return compile(schema, filter, 0);
}

function compile(schema: CollectionSchema, filter: Filter, depth: number): Document | boolean {
  checkDepth(depth);
  switch (filter.op) {
    case 'and':
      return all(filter.terms.map((term) => compile(schema, term, depth + 1)));
    case 'or':
      return any(schema, filter.terms, depth);
    case 'not': {
      const term = compile(schema, filter.term, depth + 1);
      return typeof term === 'boolean' ? !term : { $nor: [term] };
    }
    case 'eq':
      return isOneOf(schema, filter.field, [filter.value]);
    case 'in':
      return isOneOf(schema, filter.field, filter.values);
    case 'range':
      return range(schema, filter);
    case 'contains':
      return contains(schema, filter.field, filter.value);
    default:
      return unreachable(filter);
  }
}

function all(terms: readonly (Document | boolean)[]): Document | boolean {
  if (terms.includes(false)) return false;
  const queries = terms.filter((term) => typeof term !== 'boolean');
  return queries.length < 2 ? (queries[0] ?? true) : { $and: queries };
}

function any(schema: CollectionSchema, terms: readonly Filter[], depth: number): Document | boolean {
  const compiled = alternatives(terms).map((term) => compile(schema, term, depth + 1));
  if (compiled.includes(true)) return true;
  const queries = compiled.filter((term) => typeof term !== 'boolean');
  return queries.length < 2 ? (queries[0] ?? false) : { $or: queries };
}

/** Values of one field become one list: a long `$or` of equalities is slow to plan. */
function alternatives(terms: readonly Filter[]): readonly Filter[] {
  const values = new Map<string, FieldValue[]>();
  const others: Filter[] = [];
  for (const term of terms) {
    if (term.op !== 'eq' && term.op !== 'in') {
      others.push(term);
      continue;
    }
    const wanted = term.op === 'eq' ? [term.value] : term.values;
    const known = values.get(term.field);
    if (known === undefined) values.set(term.field, [...wanted]);
    else for (const value of wanted) known.push(value);
  }
  return [...[...values].map(([field, wanted]): Filter => ({ op: 'in', field, values: wanted })), ...others];
}

function isOneOf(schema: CollectionSchema, field: string, values: readonly FieldValue[]): Document | boolean {
  const { path, valueOf, scalar } = place(schema, field);
  const wanted = values.map(valueOf);
  if (wanted.length === 0) return false;
  return scalar({ [path]: wanted.length === 1 ? { $eq: wanted[0] } : { $in: wanted } });
}

function range(schema: CollectionSchema, { field, gt, gte, lt, lte }: Filter & { op: 'range' }): Document {
  const { path, valueOf, scalar } = place(schema, field);
  const bounds: Record<string, Value> = {};
  for (const [operator, bound] of [
    ['$gt', gt],
    ['$gte', gte],
    ['$lt', lt],
    ['$lte', lte],
  ] as const) {
    if (bound === undefined) continue;
    if (bound === null) throw new TypeError('A bound of a range is never null.');
    bounds[operator] = valueOf(bound);
  }
  return scalar({ [path]: Object.keys(bounds).length === 0 ? { $ne: null } : bounds });
}

function contains(schema: CollectionSchema, field: string, value: FieldValue): Document | boolean {
  if (schema.words?.field === field) return typeof value === 'string' && { w: value };
  const type = schema.many !== undefined && Object.hasOwn(schema.many, field) ? schema.many[field] : undefined;
  if (type === undefined) throw new Error(`${field} is not a list field of ${schema.name}.`);
  const wanted = declaredValue(schema, field, type, value);
  if (wanted === null) return false;
  // Lists keep their booleans, which match 0 and 1.
  const isBit = wanted === 0 || wanted === 1;
  return { [`d.${encodeName(field)}`]: isBit ? { $in: [wanted, wanted === 1] } : wanted };
}

interface Place {
  readonly path: string;
  readonly valueOf: (value: FieldValue) => Value;
  /** Query on the field's own value only. */
  readonly scalar: (query: Document) => Document;
}

function place(schema: CollectionSchema, field: string): Place {
  const asItIs = (query: Document): Document => query;
  if (field === '$key') return { path: '_id', valueOf: (value) => checkedKey(schema, value), scalar: asItIs };
  const path = `d.${encodeName(checkedName(field, 'field'))}`;
  const type = Object.hasOwn(schema.fields, field) ? schema.fields[field] : undefined;
  if (type === undefined) {
    // Without this, a list would be searched for its items.
    const scalar = (query: Document): Document => ({ $and: [{ [path]: { $not: { $type: 'array' } } }, query] });
    return { path, valueOf: (value) => value, scalar };
  }
  return { path, valueOf: (value) => declaredValue(schema, field, type, value), scalar: asItIs };
}

/** Sort of a search: the fields in turn, then the key in the direction of the last one. */
export function compileSort(schema: CollectionSchema, sort: Find['sort'] = []): Record<string, 1 | -1> {
  const compiled: Record<string, 1 | -1> = {};
  let last: 1 | -1 = 1;
  for (const { field, direction } of sort) {
    last = direction === 'ascending' ? 1 : -1;
    if (field === '$key') compiled['_id'] ??= last;
    else if (!Object.hasOwn(schema.fields, field)) throw new Error(`${schema.name} sorts by the undeclared ${field}.`);
    // The key is unique, so fields after it do not matter.
    else if (compiled['_id'] === undefined) compiled[`d.${encodeName(field)}`] ??= last;
  }
  compiled['_id'] ??= last;
  return compiled;
}

/** The indexes that a collection declares, the key last in each. */
export function indexesOf(schema: CollectionSchema): { key: Record<string, 1>; name: string }[] {
  const declared = schema.indexes.map((fields) => {
    for (const field of fields) {
      if (!Object.hasOwn(schema.fields, field)) throw new Error(`${schema.name} indexes the undeclared ${field}.`);
    }
    return fields.map((field) => `d.${encodeName(field)}`);
  });
  const lists = Object.keys(schema.many ?? {}).map((field) => [`d.${encodeName(field)}`]);
  const words = schema.words === undefined ? [] : [['w']];
  return [...declared, ...lists, ...words].map((paths, index) => ({
    key: Object.fromEntries([...paths, '_id'].map((path) => [path, 1 as const])),
    name: `index${index + 1}`,
  }));
}
