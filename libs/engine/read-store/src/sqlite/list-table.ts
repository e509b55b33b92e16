import type { CollectionSchema, FieldValue } from '../read-store.js';
import { checkedName, declaredValue } from '../schema.js';
import type { Bind, SqliteDatabase } from './sqlite-database.js';
import { quoted } from './sqlite-database.js';

/** Entries per statement. */
const ROWS_PER_INSERT = 16;

/** Inverted index of a declared list field: one row per value and document. */
export class ListTable {
  readonly table: string;
  readonly #insertOne: string;
  readonly #insertMany: string;
  readonly #remove: string;

  constructor(
    private readonly db: SqliteDatabase,
    private readonly schema: CollectionSchema,
    owner: string,
    readonly field: string,
    private readonly type: 'integer' | 'text',
  ) {
    this.table = quoted(`${owner}__${checkedName(field, 'field')}`);
    const insert = `INSERT OR IGNORE INTO ${this.table} VALUES`;
    this.#insertOne = `${insert} (?, ?)`;
    this.#insertMany = `${insert} ${Array<string>(ROWS_PER_INSERT).fill('(?, ?)').join(', ')}`;
    this.#remove = `DELETE FROM ${this.table} WHERE "$value" = ? AND "$key" = ?`;
  }

  create(): void {
    const [value, key] = [this.type, this.schema.key].map((type) => (type === 'text' ? 'TEXT' : 'INTEGER'));
    const columns = `"$value" ${value} NOT NULL, "$key" ${key} NOT NULL, PRIMARY KEY ("$value", "$key")`;
    this.db.exec(`CREATE TABLE ${this.table} (${columns}) WITHOUT ROWID`);
  }

  drop(): void {
    this.db.exec(`DROP TABLE IF EXISTS ${this.table}`);
  }

  bind(value: FieldValue): Bind {
    return declaredValue(this.schema, this.field, this.type, value);
  }

  /**
   * Writes the difference between a document's list and its previous one. Removals happen here; additions are returned
   * as pairs of value and key, so that those of many documents can be inserted together.
   */
  replace(key: Bind, before: unknown, after: unknown): readonly Bind[] {
    if (before === undefined && after === undefined) return [];
    const old = this.#values(before);
    const now = this.#values(after);
    const added: Bind[] = [];
    for (const value of old) if (!now.has(value)) this.db.run(this.#remove, [value, key]);
    for (const value of now) if (!old.has(value)) added.push(value, key);
    return added;
  }

  insert(pairs: readonly Bind[]): void {
    let at = 0;
    const full = ROWS_PER_INSERT * 2;
    for (; pairs.length - at >= full; at += full) this.db.run(this.#insertMany, pairs.slice(at, at + full));
    for (; at < pairs.length; at += 2) this.db.run(this.#insertOne, pairs.slice(at, at + 2));
  }

  /** Whether it has the lists of these documents. */
  hasAll(documents: readonly (readonly [key: Bind, list: unknown])[]): boolean {
    const pairs = documents.flatMap(([key, list]) => [...this.#values(list)].map((value) => [value, key]));
    if (pairs.length === 0) return true;
    const listed = `l."$value" = p.value ->> 0 AND l."$key" = p.value ->> 1`;
    const sql = `SELECT count(*) FROM json_each(?) p CROSS JOIN ${this.table} l WHERE ${listed}`;
    const [row] = this.db.rows(sql, [JSON.stringify(pairs)]);
    return row?.[0] === pairs.length;
  }

  #values(list: unknown): ReadonlySet<Bind> {
    if (list === undefined || list === null) return NOTHING;
    if (!Array.isArray(list)) throw new TypeError(`The field ${this.field} of ${this.schema.name} is declared a list.`);
    const values = new Set<Bind>();
    for (const value of list as unknown[]) {
      const bound = declaredValue(this.schema, this.field, this.type, value);
      if (bound !== null) values.add(bound);
    }
    return values;
  }
}

const NOTHING: ReadonlySet<Bind> = new Set();
