import type { Filter, Find, Key, Stored } from '../read-store.js';
import { checkedCount } from '../schema.js';
import { conjunction, findsByKey, orderedBranches } from './branches.js';
import type { DocumentTable } from './document-table.js';
import { FilterCompiler } from './filter-sql.js';
import type { Sql } from './filter-sql.js';
import { quoted } from './sqlite-database.js';

/** Beyond this many keys, listing them costs more than it saves. */
const FEW_KEYS_MAX = 20_000;
/** The same where each of many branches may list them. */
const FEW_IN_RANGE_MAX = 5_000;

type Direction = 'ascending' | 'descending';

/** Finds documents in one table. */
export class Search {
  constructor(private readonly table: DocumentTable) {}

  find<Doc>(find: Find): readonly Stored<Doc>[] {
    checkedCount(find.limit, 'limit');
    if (find.limit === 0) return [];
    const branches = this.#branches(find);
    if (branches !== undefined) {
      const keys = this.#newestOf(branches, find.sort?.[0]?.direction ?? 'ascending', find.limit);
      const docs = this.table.getMany<Doc>(keys);
      return keys.map((key) => ({ key, doc: docs.get(key) as Doc }));
    }
    const { text, params } = this.statement(find);
    return this.table.db.rows(text, params).map((row) => ({ key: row[0] as Key, doc: this.table.decode(row) as Doc }));
  }

  count(filter: Filter | undefined, atMost: number): number {
    checkedCount(atMost, 'bound of a count');
    const { text, params } = this.#from(filter === undefined ? [] : conjunction(filter), '1');
    const [row] = this.table.db.rows(`SELECT count(*) FROM (${text} LIMIT ?)`, [...params, atMost]);
    return row?.[0] as number;
  }

  /** What a search without branches runs. */
  statement(find: Find): Sql {
    const { text, params, key } = this.#from(
      find.where === undefined ? [] : conjunction(find.where),
      this.table.columns,
    );
    return { text: `${text} ORDER BY ${this.#order(find, key)} LIMIT ?`, params: [...params, find.limit] };
  }

  /** What one branch of a search by key runs: keys alone, beyond a bound when there is one. */
  branchStatement(terms: readonly Filter[], direction: Direction, bound: Key | undefined, limit: number): Sql {
    const beyond: Filter[] =
      bound === undefined ? [] : [{ op: 'range', field: '$key', [direction === 'ascending' ? 'lt' : 'gt']: bound }];
    const { text, params, key } = this.#from([...terms, ...beyond], undefined);
    return {
      text: `${text} ORDER BY ${key} ${direction === 'ascending' ? 'ASC' : 'DESC'} LIMIT ?`,
      params: [...params, limit],
    };
  }

  #branches(find: Find): readonly (readonly Filter[])[] | undefined {
    const first = find.sort?.[0];
    if (find.where === undefined || (first !== undefined && first.field !== '$key')) return undefined;
    const branches = orderedBranches(this.table.schema, find.where);
    return branches === undefined || branches.length < 2 ? undefined : branches;
  }

  /**
   * The first keys of all branches together. Once `limit` are known, the last of them bounds what the next branch needs to
   * look at, so most branches end at their first row.
   */
  #newestOf(branches: readonly (readonly Filter[])[], direction: Direction, limit: number): readonly Key[] {
    const sign = direction === 'ascending' ? 1 : -1;
    let best: Key[] = [];
    for (const terms of branches) {
      const bound = best.length === limit ? best[limit - 1] : undefined;
      const { text, params } = this.branchStatement(terms, direction, bound, limit);
      const rows = this.table.db.rows(text, params);
      if (rows.length === 0) continue;
      const keys = new Set(best);
      for (const row of rows) keys.add(row[0] as Key);
      best = [...keys].sort((a, b) => sign * compareKeys(a, b)).slice(0, limit);
    }
    return best;
  }

  /**
   * The statement up to its order. A list field that must contain a value drives the search: its table gives the keys in
   * order, and is the only one read when nothing else is asked.
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
      const { text, params } = new FilterCompiler(this.table, 't."$key"').compile({ op: 'and', terms: rest });
      const few = range === undefined ? '' : `t."$key" IN (${range.keys.text}) AND `;
      return {
        text: `SELECT ${columns ?? 't."$key"'} FROM ${this.table.table} t WHERE ${few}${text}`,
        params: [...(range?.keys.params ?? []), ...params],
        key: 't."$key"',
      };
    }
    const key = 'm."$key"';
    const rest = terms.filter((term) => term !== driver);
    const { text, params } = new FilterCompiler(this.table, key).compile({ op: 'and', terms: rest });
    const joined = columns === undefined && rest.every((term) => 'field' in term && term.field === '$key');
    const join = joined ? '' : ` CROSS JOIN ${this.table.table} t ON t."$key" = m."$key"`;
    return {
      text: `SELECT ${columns ?? key} FROM ${list.table} m${join} WHERE m."$value" = ? AND ${text}`,
      params: [list.bind(driver.value), ...params],
      key,
    };
  }

  /** The same, driven by all words that must be there: the index gives their keys in order, one after the other. */
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
    const few = this.#fewKeys(rest);
    // The plus keeps the database from looking up each alternative by itself, which an index of words does not support.
    const { text, params } = new FilterCompiler(this.table, key, `+${key}`).compile({ op: 'and', terms: rest });
    return {
      text:
        `SELECT ${columns ?? key} FROM ${words.table} w CROSS JOIN ${this.table.table} t ON t."$key" = w.rowid ` +
        `WHERE w.${words.table} MATCH ?${few === undefined ? '' : ` AND +w.rowid IN (${few.text})`} AND ${text}`,
      params: [words.match(wanted), ...(few?.params ?? []), ...params],
      key,
    };
  }

  /** What an index finds by itself, when that is little: keys are compared sooner than documents are looked at. */
  #fewKeys(terms: readonly Filter[]): Sql | undefined {
    const { indexes } = this.table.schema;
    const fixed = terms.filter((term) => term.op === 'eq' && indexes.some(([first]) => first === term.field));
    return fixed.length === 0 ? undefined : this.#whenFew(fixed, FEW_KEYS_MAX);
  }

  /**
   * The same for a range of an index behind fields that are fixed. Left to itself, the database goes through all that is
   * fixed in the order of keys, which is right as long as the range holds much.
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

/** Text by code point, as the database does. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
