import type { FieldsRow, Filter, Find, Key, Stored } from '../read-store.js';
import { checkedCount } from '../schema.js';
import { conjunction, findsByKey, orderedBranches } from './branches.js';
import type { DocumentTable } from './document-table.js';
import { FilterCompiler } from './filter-sql.js';
import { isKeyRange, isScanCheaper, type KeySpan, keySpan, withoutExcludedKeys } from './key-span.js';
import { quoted } from './sqlite-database.js';
import type { Sql } from './sqlite-database.js';

/** Beyond this many keys, listing them costs more than it saves. */
const FEW_KEYS_MAX = 20_000;
/** Maximum keys to list where each of many branches may list them. */
const FEW_IN_RANGE_MAX = 5_000;

/** New keys collected before all keys are sorted again, beside a fraction of the limit. */
const UNSORTED_MAX = 16;

/** Some milliseconds of work when each branch finds little: branches, each with so many terms as work beside its own. */
const WORK_PER_SLICE = 4_096;
const BRANCH_WORK = 8;

/** Used instead of columns. */
const KEY_ALONE = Symbol('key alone');

type Direction = 'ascending' | 'descending';

/** Finds documents in one table. */
export class Search {
  constructor(private readonly table: DocumentTable) {}

  /**
   * Yields so that other requests can run; documents found before and after a yield may be from different times, and
   * each document is from one.
   */
  *find<Doc>(find: Find): Generator<void, readonly Stored<Doc>[], void> {
    checkedCount(find.limit, 'limit');
    if (find.limit === 0) return [];
    const { branches, span } = this.#plan(find);
    if (branches !== undefined) {
      const keys = yield* this.#newestOf(branches, find);
      const docs = this.table.getMany<Doc>(keys);
      return keys.flatMap((key) => {
        const doc = docs.get(key);
        return doc === undefined ? [] : [{ key, doc }];
      });
    }
    const { text, params } = this.statement(find, this.table.columns, span);
    return this.table.db.rows(text, params).map((row) => {
      return { key: this.table.decodeKey(row[0]), doc: this.table.decode(row) as Doc };
    });
  }

  *findFields(find: Find, fields: readonly string[]): Generator<void, readonly FieldsRow[], void> {
    checkedCount(find.limit, 'limit');
    const columns = this.table.fieldColumns(fields);
    if (find.limit === 0) return [];
    const { branches, span } = this.#plan(find);
    if (branches !== undefined) {
      const keys = yield* this.#newestOf(branches, find);
      if (fields.length === 0) return keys.map((key) => ({ key, fields: {} }));
      const rows = this.table.fieldsOf(keys, fields);
      return keys.flatMap((key) => rows.get(key) ?? []);
    }
    const isByKey = find.sort?.every(({ field }) => field === '$key') ?? true;
    const { text, params } = this.statement(find, fields.length === 0 && isByKey ? KEY_ALONE : columns, span);
    return this.table.db.rows(text, params).map((row) => this.table.fieldsRow(row, fields));
  }

  count(filter: Filter | undefined, atMost: number): number {
    checkedCount(atMost, 'bound of a count');
    const { text, params } = this.#from(filter === undefined ? [] : conjunction(filter), '1');
    const [row] = this.table.db.rows(`SELECT count(*) FROM (${text} LIMIT ?)`, [...params, atMost]);
    return row?.[0] as number;
  }

  /**
   * Statement of a search without branches.
   * @param columns of the alias `t`; `KEY_ALONE` for searches that need not read documents
   * @param span the keys to look at one by one
   */
  statement(find: Find, columns: string | typeof KEY_ALONE = this.table.columns, span?: KeySpan): Sql {
    const terms = find.where === undefined ? [] : withoutExcludedKeys(conjunction(find.where));
    const selected = columns === KEY_ALONE ? undefined : columns;
    const { text, params, key } =
      span === undefined ? this.#from(terms, selected) : this.#scan(terms, span, selected ?? this.table.keyColumn);
    return { text: `${text} ORDER BY ${this.#order(find, key)} LIMIT ?`, params: [...params, find.limit] };
  }

  /** Statement of one branch of a search by key: only keys, beyond a bound when given. */
  branchStatement(terms: readonly Filter[], direction: Direction, bound: Key | undefined, limit: number): Sql {
    const beyond: Filter[] =
      bound === undefined ? [] : [{ op: 'range', field: '$key', [direction === 'ascending' ? 'lt' : 'gt']: bound }];
    const { text, params, key } = this.#from(withoutExcludedKeys([...terms, ...beyond]), undefined);
    return {
      text: `${text} ORDER BY ${key} ${direction === 'ascending' ? 'ASC' : 'DESC'} LIMIT ?`,
      params: [...params, limit],
    };
  }

  /** How to find documents: in many branches, in a span of keys where that costs less, or by one statement. */
  #plan(find: Find): { readonly branches?: readonly (readonly Filter[])[]; readonly span?: KeySpan } {
    const first = find.sort?.[0];
    if (find.where === undefined || (first !== undefined && first.field !== '$key')) return {};
    const branches = orderedBranches(this.table.schema, find.where);
    if (branches === undefined || branches.length < 2) return {};
    const terms = conjunction(find.where);
    const span = this.#spanOf(terms);
    return span !== undefined && isScanCheaper(span, terms, branches.length) ? { span } : { branches };
  }

  /** Statement that looks at each row of a span. By itself SQLite would search for each alternative, and sort what it finds. */
  #scan(terms: readonly Filter[], span: KeySpan, columns: string): Sql & { readonly key: string } {
    const key = 't."$key"';
    const compiler = new FilterCompiler(this.table, key, span, { isScan: true });
    const { text, params } = compiler.compile({ op: 'and', terms });
    return { text: `SELECT ${columns} FROM ${this.table.table} t NOT INDEXED WHERE ${text}`, params, key };
  }

  /**
   * Finds the first keys of all branches together. Once `limit` keys are known, the last of them bounds the following
   * branches, so most end at their first row. Sorting costs more than some surplus rows, so it waits for a few.
   */
  *#newestOf(branches: readonly (readonly Filter[])[], { sort, limit }: Find): Generator<void, readonly Key[], void> {
    const direction = sort?.[0]?.direction ?? 'ascending';
    const sign = direction === 'ascending' ? 1 : -1;
    const first = (keys: Iterable<Key>): Key[] => [...keys].sort((a, b) => sign * compareKeys(a, b)).slice(0, limit);
    let keys = new Set<Key>();
    let bound: Key | undefined;
    let work = 0;
    for (const terms of branches) {
      if (work > WORK_PER_SLICE) {
        yield;
        work = 0;
      }
      work += BRANCH_WORK + terms.length;
      const { text, params } = this.branchStatement(terms, direction, bound, limit);
      for (const row of this.table.db.rows(text, params)) keys.add(this.table.decodeKey(row[0]));
      const isDue = bound === undefined ? keys.size >= limit : keys.size > limit + limit / 4 + UNSORTED_MAX;
      if (!isDue) continue;
      const best = first(keys);
      bound = best[limit - 1];
      keys = new Set(best);
    }
    return first(keys);
  }

  /**
   * Statement without its order. A list field that must contain a value drives the search: its table gives the keys in
   * order, and is the only one read when nothing else is needed.
   */
  #from(terms: readonly Filter[], columns: string | undefined): Sql & { readonly key: string } {
    if (!findsByKey(terms)) {
      const found = this.#fromWords(terms, columns);
      if (found !== undefined) return found;
    }
    const driver = findsByKey(terms) ? undefined : terms.find((term) => term.op === 'contains');
    const list = driver === undefined ? undefined : this.table.lists.get(driver.field);
    if (driver === undefined || list === undefined || driver.value === null) {
      const range = this.#fewInRange(terms);
      const rest = range === undefined ? terms : terms.filter((term) => !range.terms.includes(term));
      const compiler = new FilterCompiler(this.table, 't."$key"', this.#spanOf(terms));
      const { text, params } = compiler.compile({ op: 'and', terms: rest });
      const few = range === undefined ? '' : `t."$key" IN (${range.keys.text}) AND `;
      return {
        text: `SELECT ${columns ?? this.table.keyColumn} FROM ${this.table.table} t WHERE ${few}${text}`,
        params: [...(range?.keys.params ?? []), ...params],
        key: 't."$key"',
      };
    }
    const key = 'm."$key"';
    const rest = terms.filter((term) => term !== driver);
    const compiler = new FilterCompiler(this.table, key, this.#spanOf(terms));
    const { text, params } = compiler.compile({ op: 'and', terms: rest });
    const joined = columns === undefined && rest.every((term) => 'field' in term && term.field === '$key');
    const join = joined ? '' : ` CROSS JOIN ${this.table.table} t ON t."$key" = m."$key"`;
    return {
      text: `SELECT ${columns ?? this.table.keyOf(key)} FROM ${list.table} m${join} WHERE m."$value" = ? AND ${text}`,
      params: [list.bind(driver.value), ...params],
      key,
    };
  }

  /** Statement driven by words that must occur: the index gives their keys in order. */
  #fromWords(terms: readonly Filter[], columns: string | undefined): (Sql & { readonly key: string }) | undefined {
    const { words } = this.table;
    if (words === undefined) return undefined;
    const wanted: string[] = [];
    const rest: Filter[] = [];
    for (const term of terms) {
      if (term.op === 'contains' && term.field === words.field && typeof term.value === 'string')
        wanted.push(term.value);
      else rest.push(term);
    }
    if (wanted.length === 0) return undefined;
    const key = 'w.rowid';
    const span = this.#spanOf(rest);
    const matched = span === undefined ? wanted : words.matchedTogether(wanted, span);
    const conditions: Sql[] = [{ text: `w.${words.table} MATCH ?`, params: [words.match(matched)] }];
    if (span !== undefined) {
      const others = wanted.filter((word) => !matched.includes(word));
      conditions.push(words.inSpan(key, span), ...others.map((word) => among(key, words.keysOf(word, span))));
    }
    const few = this.#fewKeys(rest);
    if (few !== undefined) conditions.push(among(key, few));
    const unspanned = span === undefined ? rest : rest.filter((term) => !isKeyRange(term));
    // The plus sign stops SQLite from looking up each alternative separately, which a full-text index does not support.
    const compiler = new FilterCompiler(this.table, key, span, { keyOfAlternatives: `+${key}` });
    conditions.push(compiler.compile({ op: 'and', terms: unspanned }));
    return {
      text:
        `SELECT ${columns ?? key} FROM ${words.table} w CROSS JOIN ${this.table.table} t ON t."$key" = w.rowid ` +
        `WHERE ${conditions.map(({ text }) => text).join(' AND ')}`,
      params: conditions.flatMap(({ params }) => params),
      key,
    };
  }

  /** The keys that the terms allow; undefined unless they name integers for both ends. */
  #spanOf(terms: readonly Filter[]): KeySpan | undefined {
    return this.table.schema.key === 'integer' ? keySpan(terms) : undefined;
  }

  /** Keys that an index finds by itself, when they are few: comparing keys is cheaper than reading documents. */
  #fewKeys(terms: readonly Filter[]): Sql | undefined {
    const { indexes } = this.table.schema;
    const fixed = terms.filter((term) => term.op === 'eq' && indexes.some(([first]) => first === term.field));
    return fixed.length === 0 ? undefined : this.#whenFew(fixed, FEW_KEYS_MAX);
  }

  /**
   * Keys in a range of an index behind fixed fields, when they are few. By itself SQLite scans all rows of the fixed
   * fields in key order, which is right as long as the range holds many.
   */
  #fewInRange(terms: readonly Filter[]): { readonly keys: Sql; readonly terms: readonly Filter[] } | undefined {
    if (findsByKey(terms)) return undefined;
    for (const range of terms) {
      if (range.op !== 'range' || range.field === '$key') continue;
      const index = this.table.schema.indexes.find((fields) => fields.length > 1 && fields.at(-1) === range.field);
      const fixed = (index ?? [])
        .slice(0, -1)
        .map((field) => terms.find((one) => one.op === 'eq' && one.field === field));
      const found = fixed.filter((term) => term !== undefined);
      if (index === undefined || found.length < fixed.length) continue;
      const keys = this.#whenFew([...found, range], FEW_IN_RANGE_MAX);
      if (keys !== undefined) return { keys, terms: [...found, range] };
    }
    return undefined;
  }

  #whenFew(terms: readonly Filter[], most: number): Sql | undefined {
    const { text, params } = new FilterCompiler(this.table, 't."$key"').compile({ op: 'and', terms });
    const found = { text: `SELECT t."$key" FROM ${this.table.table} t WHERE ${text}`, params };
    const counted = `SELECT count(*) FROM (${found.text} LIMIT ${most + 1})`;
    const [row] = this.table.db.rows(counted, params);
    return (row?.[0] as number) <= most ? found : undefined;
  }

  #order(find: Find, key: string): string {
    const parts: string[] = [];
    let direction = 'ASC';
    for (const { field, direction: towards } of find.sort ?? []) {
      direction = towards === 'ascending' ? 'ASC' : 'DESC';
      if (field === '$key') break;
      if (!Object.hasOwn(this.table.schema.fields, field))
        throw new Error(`${this.table.schema.name} cannot be sorted by ${field}.`);
      parts.push(`t.${quoted(field)} ${direction}`);
    }
    return [...parts, `${key} ${direction}`].join(', ');
  }
}

/** Condition that the key is among those that a statement finds. */
function among(key: string, { text, params }: Sql): Sql {
  return { text: `+${key} IN (${text})`, params };
}

/** Compares text by code point, like SQLite. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
