import { unreachable } from '#kernel';
import type { FieldValue, Filter } from '../read-store.js';
import { checkDepth, checkedName } from '../schema.js';
import type { DocumentTable } from './document-table.js';
import type { KeySpan } from './key-span.js';
import type { ListTable } from './list-table.js';
import type { Bind, Sql } from './sqlite-database.js';
import { quoted } from './sqlite-database.js';

/** SQLite limits expressions to a depth of 1000, and a chain of n terms is n deep: longer chains become trees. */
const CHAIN_MAX = 64;

/**
 * Compiles filters for one table, whose alias is `t`. Predicates are two-valued: negation is pushed down to the leaves,
 * where null is handled explicitly, so that `not` finds what the term does not.
 */
export class FilterCompiler {
  readonly #params: Bind[] = [];
  /** Depth of enclosing ORs at the current term. */
  #alternatives = 0;

  constructor(
    private readonly table: DocumentTable,
    /** Column of the key, in the table that drives the search. */
    private readonly drivingKey: string,
    /** All keys that the search looks at. */
    private readonly span?: KeySpan,
    private readonly options: {
      /** Column of the key in alternatives: a table that can only be searched as a whole must not be split by them. */
      readonly keyOfAlternatives?: string;
      /** The span has few keys, and the search looks at each. */
      readonly isScan?: boolean;
    } = {},
  ) {}

  get #key(): string {
    return this.#alternatives > 0 ? (this.options.keyOfAlternatives ?? this.drivingKey) : this.drivingKey;
  }

  compile(filter: Filter): Sql {
    this.#params.length = 0;
    const text = this.#any(filter, false, 0);
    return { text, params: [...this.#params] };
  }

  #any(filter: Filter, negated: boolean, depth: number): string {
    checkDepth(depth);
    switch (filter.op) {
      case 'and':
      case 'or': {
        const word = (filter.op === 'and') === negated ? 'OR' : 'AND';
        if (word === 'OR') this.#alternatives++;
        const given = combined(filter.op, filter.terms);
        const span = word === 'OR' && !negated && this.options.isScan === true ? this.span : undefined;
        const { lists, others } = span === undefined ? { lists: [], others: given } : this.#byList(given);
        const terms = others.map((term) => this.#any(term, negated, depth + 1));
        if (span !== undefined) for (const [list, values] of lists) terms.push(this.#containsAny(list, values, span));
        if (word === 'OR') this.#alternatives--;
        return terms.length === 0 ? (word === 'AND' ? '1' : '0') : chain(terms, word);
      }
      case 'not':
        return this.#any(filter.term, !negated, depth + 1);
      case 'eq':
        return this.#eq(filter.field, filter.value, negated);
      case 'in':
        return this.#in(filter.field, filter.values, negated);
      case 'range':
        return this.#range(filter, negated);
      case 'contains':
        return this.#contains(filter.field, filter.value, negated);
      default:
        return unreachable(filter);
    }
  }

  #eq(field: string, value: FieldValue, negated: boolean): string {
    const { column, bind } = this.#field(field);
    if (value === null) return `${column} IS ${negated ? 'NOT ' : ''}NULL`;
    this.#params.push(bind(value));
    return `${column} ${negated ? 'IS NOT' : '='} ?`;
  }

  #in(field: string, values: readonly FieldValue[], negated: boolean): string {
    const present = values.filter((value) => value !== null);
    const terms: string[] = [];
    if (present.length < values.length) terms.push(this.#eq(field, null, negated));
    if (present.length === 1) terms.push(this.#eq(field, present[0] as FieldValue, negated));
    if (present.length > 1) {
      const { column, bind } = this.#field(field);
      // One parameter for any number of values: the statement keeps its shape, even with thousands.
      this.#params.push(JSON.stringify(present.map(bind)));
      const list = '(SELECT value FROM json_each(?))';
      terms.push(negated ? `(${column} IS NULL OR ${column} NOT IN ${list})` : `${column} IN ${list}`);
    }
    return terms.length === 0 ? (negated ? '1' : '0') : chain(terms, negated ? 'AND' : 'OR');
  }

  #range(filter: Filter & { op: 'range' }, negated: boolean): string {
    const { column, bind, declared } = this.#field(filter.field);
    const terms = [`${column} IS NOT NULL`];
    for (const [name, operator] of BOUNDS) {
      const value = filter[name];
      if (value === undefined) continue;
      if (value === null) throw new TypeError('A bound of a range is never null.');
      this.#params.push(bind(value));
      // SQLite sorts all numbers before all text, and a column's type is known: only values in the JSON need a type
      // check.
      if (!declared) terms.push(`typeof(${column}) ${typeof value === 'string' ? "= 'text'" : "<> 'text'"}`);
      terms.push(`${column} ${operator} ?`);
    }
    if (terms.length > 1) terms.shift();
    const text = terms.join(' AND ');
    return negated ? `(${column} IS NULL OR NOT (${text}))` : `(${text})`;
  }

  #contains(field: string, value: FieldValue, negated: boolean): string {
    const { words } = this.table;
    if (words?.field === field) {
      if (typeof value !== 'string') return negated ? '1' : '0';
      const { text, params } = words.keysOf(value, this.span);
      this.#params.push(...params);
      return `${this.#key} ${negated ? 'NOT ' : ''}IN (${text})`;
    }
    const list = this.table.lists.get(field);
    if (list === undefined) throw new Error(`${field} is not a list field of ${this.table.schema.name}.`);
    if (value === null) return negated ? '1' : '0';
    this.#params.push(list.bind(value));
    return `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 FROM ${list.table} l WHERE l."$value" = ? AND l."$key" = ${this.#key})`;
  }

  /** Takes out the alternatives that a list contains some value, by list. Within few keys, any number of them is one look-up. */
  #byList(terms: readonly Filter[]): {
    readonly lists: Iterable<readonly [ListTable, readonly Bind[]]>;
    readonly others: readonly Filter[];
  } {
    const lists = new Map<ListTable, Bind[]>();
    const others: Filter[] = [];
    for (const term of terms) {
      const list = term.op === 'contains' ? this.table.lists.get(term.field) : undefined;
      if (list === undefined || term.op !== 'contains' || term.value === null) others.push(term);
      else {
        const values = lists.get(list);
        if (values === undefined) lists.set(list, [list.bind(term.value)]);
        else values.push(list.bind(term.value));
      }
    }
    return { lists, others };
  }

  #containsAny({ table }: ListTable, values: readonly Bind[], { first, last }: KeySpan): string {
    this.#params.push(JSON.stringify(values), first, last);
    const among = 'l."$value" IN (SELECT value FROM json_each(?)) AND l."$key" BETWEEN ? AND ?';
    return `${this.#key} IN (SELECT l."$key" FROM ${table} l WHERE ${among})`;
  }

  #field(field: string): { column: string; bind: (value: FieldValue) => Bind; declared: boolean } {
    if (field === '$key') return { column: this.#key, bind: (value) => this.table.bindKey(value), declared: true };
    if (Object.hasOwn(this.table.schema.fields, field)) {
      return { column: `t.${quoted(field)}`, bind: (value) => this.table.bindField(field, value), declared: true };
    }
    const path = `'$.${quoted(checkedName(field, 'field'))}'`;
    const bind = (value: FieldValue): Bind => (typeof value === 'boolean' ? Number(value) : value);
    return { column: `json_extract(t."$body", ${path})`, bind, declared: false };
  }
}

/**
 * The terms of an `and` or `or`, in which many comparisons of one field are one look-up: a hundred unwanted senders cost
 * each document a hundred comparisons otherwise.
 */
function combined(op: 'and' | 'or', terms: readonly Filter[]): readonly Filter[] {
  const compared = new Map<string, FieldValue[]>();
  const others: Filter[] = [];
  for (const term of terms) {
    const equal = op === 'or' ? term : term.op === 'not' ? term.term : undefined;
    if (equal?.op !== 'eq') {
      others.push(term);
      continue;
    }
    const values = compared.get(equal.field);
    if (values === undefined) compared.set(equal.field, [equal.value]);
    else values.push(equal.value);
  }
  const lookUps = [...compared].map(([field, values]): Filter => ({ op: 'in', field, values }));
  return [...others, ...(op === 'or' ? lookUps : lookUps.map((term): Filter => ({ op: 'not', term })))];
}

const BOUNDS = [
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
] as const;

function chain(terms: readonly string[], word: 'AND' | 'OR'): string {
  if (terms.length <= CHAIN_MAX) return `(${terms.join(` ${word} `)})`;
  const middle = terms.length >> 1;
  return `(${chain(terms.slice(0, middle), word)} ${word} ${chain(terms.slice(middle), word)})`;
}
