import { crc32 } from 'node:zlib';
import type { CollectionSchema, FieldsRow, FieldValue, Key, KeyRange } from '../read-store.js';
import { checkedIntegers, checkedKey, checkedName, declaredValue, FRAGILE_TEXT } from '../schema.js';
import { ListTable } from './list-table.js';
import type { ReadStoreDamaged } from '../read-store.js';
import type { Bind, Row, SqliteDatabase } from './sqlite-database.js';
import { quoted } from './sqlite-database.js';
import { type AddedWords, WordTable } from './word-table.js';

export type Document = Record<string, unknown>;

/** Rows per statement: measured to insert 2.5 times as fast as one row each; more rows gain nothing. */
const ROWS_PER_UPSERT = 16;
/** Documents whose lists are compared at a time. */
const DOCUMENTS_PER_COMPARISON = 512;

/**
 * One generation of a collection: a table with the key, the position of the last write, a column per declared field,
 * and the rest of the document as JSON. A declared field is stored only in its column, unless the column cannot
 * represent the value (an explicit null, a boolean, text that a column cuts short): then it is also in the JSON, which
 * wins. So a missing field stays missing. A checksum covers all of it.
 *
 * In a damaged file any column may hold text that is not UTF-8, at which the driver aborts the process. So text is read as
 * bytes, and numbers are read through an addition, which turns anything else into a number.
 */
export class DocumentTable {
  readonly lists: ReadonlyMap<string, ListTable>;
  readonly words: WordTable | undefined;
  /** Columns that `decode` reads, of the alias `t`. */
  readonly columns: string;
  /** The column that `decodeKey` reads, of the alias `t`. */
  readonly keyColumn: string;
  readonly table: string;
  readonly #fields: readonly { readonly field: string; readonly type: 'integer' | 'text'; readonly column: number }[];
  readonly #positionColumn: number;
  readonly #declared: ReadonlySet<string>;
  readonly #selectOne: string;
  readonly #selectMany: string;
  readonly #upsertOne: string;
  readonly #upsertMany: string;

  constructor(
    readonly db: SqliteDatabase,
    readonly schema: CollectionSchema,
    readonly name: string,
  ) {
    this.table = quoted(checkedName(name, 'collection'));
    const fields = Object.entries(schema.fields);
    this.#fields = fields.map(([field, type], index) => ({
      field: checkedName(field, 'field'),
      type,
      column: index + 1,
    }));
    this.#positionColumn = fields.length + 1;
    this.#declared = new Set(Object.keys(schema.fields));
    this.keyColumn = this.keyOf('t."$key"');
    this.columns = [
      this.keyColumn,
      ...this.#fields.map(({ field, type }) => safely(`t.${quoted(field)}`, type)),
      safely('t."$position"', 'integer'),
      safely('t."$body"', 'text'),
      safely('t."$sum"', 'integer'),
    ].join(', ');
    this.lists = new Map(
      Object.entries(schema.many ?? {}).map(([field, type]) => [field, new ListTable(db, schema, name, field, type)]),
    );
    this.words = schema.words === undefined ? undefined : new WordTable(db, schema, schema.words, name);
    const select = `SELECT ${this.columns} FROM ${this.table} t WHERE t."$key"`;
    this.#selectOne = `${select} = ?`;
    // One parameter for any number of keys: half as much work as a placeholder each.
    this.#selectMany = `${select} IN (SELECT value FROM json_each(?))`;
    this.#upsertOne = this.#upsertSql(1);
    this.#upsertMany = this.#upsertSql(ROWS_PER_UPSERT);
  }

  get #hasLists(): boolean {
    return this.lists.size > 0 || this.words !== undefined;
  }

  create(): void {
    const key = this.schema.key === 'integer' ? '"$key" INTEGER PRIMARY KEY' : '"$key" TEXT NOT NULL PRIMARY KEY';
    const fields = this.#fields.map(({ field, type }) => `${quoted(field)} ${type === 'text' ? 'TEXT' : 'INTEGER'}`);
    const columns = [
      key,
      '"$position" INTEGER NOT NULL',
      ...fields,
      '"$body" TEXT NOT NULL',
      '"$sum" INTEGER NOT NULL',
    ];
    const options = this.schema.key === 'text' ? ' WITHOUT ROWID' : '';
    this.db.exec(`CREATE TABLE ${this.table} (${columns.join(', ')})${options}`);
    for (const list of this.lists.values()) list.create();
    this.words?.create();
  }

  /**
   * One statement per declared index, with the key last. SQLite adds the key by itself, but only recognises the
   * resulting order for integer keys.
   */
  indexStatements(): readonly string[] {
    return this.schema.indexes.map((fields, index) => {
      for (const field of fields)
        if (!this.#declared.has(field)) throw new Error(`${this.schema.name} indexes the undeclared ${field}.`);
      const name = this.#indexName(index);
      const columns = this.schema.key === 'text' ? [...fields, '$key'] : fields;
      return `CREATE INDEX IF NOT EXISTS ${name} ON ${this.table} (${columns.map(quoted).join(', ')})`;
    });
  }

  /** One statement per declared index. */
  indexDrops(): readonly string[] {
    return this.schema.indexes.map((_, index) => `DROP INDEX IF EXISTS ${this.#indexName(index)}`);
  }

  #indexName(index: number): string {
    return quoted(`${this.name}__index${index + 1}`);
  }

  /** Removes documents of a table that is about to be dropped, and leaves its lists as they are. @returns how many */
  removeSome(atMost: number): number {
    const some = `SELECT "$key" FROM ${this.table} LIMIT ?`;
    return this.db.run(`DELETE FROM ${this.table} WHERE "$key" IN (${some})`, [atMost]);
  }

  drop(): void {
    this.db.exec(`DROP TABLE IF EXISTS ${this.table}`);
    for (const list of this.lists.values()) list.drop();
    this.words?.drop();
  }

  /**
   * Writes the documents, except those that a later position has written. Inside a transaction.
   * @param fresh keys of documents that are known to be new
   */
  apply(
    writes: ReadonlyMap<Key, object | undefined>,
    position: number,
    fresh: ReadonlySet<Key> = new Set<Key>(),
  ): void {
    const due = this.#hasLists ? this.#applyLists(writes, position, fresh) : writes;
    const upserts: [Key, Document][] = [];
    for (const [key, doc] of due) {
      if (doc !== undefined) upserts.push([key, doc as Document]);
      else
        this.db.run(`DELETE FROM ${this.table} WHERE "$key" = ? AND "$position" <= ?`, [this.bindKey(key), position]);
    }
    let at = 0;
    for (; upserts.length - at >= ROWS_PER_UPSERT; at += ROWS_PER_UPSERT) {
      const params: Bind[] = [];
      for (const [key, doc] of upserts.slice(at, at + ROWS_PER_UPSERT)) this.#encode(params, key, doc, position);
      this.db.run(this.#upsertMany, params);
    }
    for (const [key, doc] of upserts.slice(at)) {
      const params: Bind[] = [];
      this.#encode(params, key, doc, position);
      this.db.run(this.#upsertOne, params);
    }
  }

  /** Removes every document whose key is in the range. Inside a transaction. */
  prune({ from, below }: KeyRange): void {
    const [condition, bounds] =
      from === undefined
        ? ['"$key" < ?', [this.bindKey(below)]]
        : ['"$key" >= ? AND "$key" < ?', [this.bindKey(from), this.bindKey(below)]];
    if (this.#hasLists) {
      const rows = this.db.rows(`SELECT ${this.keyColumn} FROM ${this.table} t WHERE ${condition}`, bounds);
      this.#applyLists(
        new Map(rows.map(([key]) => [this.decodeKey(key), undefined])),
        Number.MAX_SAFE_INTEGER,
        new Set(),
      );
    }
    this.db.run(`DELETE FROM ${this.table} WHERE ${condition}`, bounds);
  }

  get(key: Key): Document | undefined {
    const [row] = this.db.rows(this.#selectOne, [this.bindKey(key)]);
    return row === undefined ? undefined : this.decode(row);
  }

  getMany<Doc>(keys: readonly Key[]): Map<Key, Doc> {
    const found = new Map<Key, Doc>();
    if (keys.length === 0) return found;
    const [sql, param] =
      keys.length === 1
        ? [this.#selectOne, this.bindKey(keys[0])]
        : [this.#selectMany, JSON.stringify(keys.map((key) => this.bindKey(key)))];
    for (const row of this.db.rows(sql, [param])) found.set(this.decodeKey(row[0]), this.decode(row) as Doc);
    return found;
  }

  /**
   * Columns that `fieldsRow` reads, of the alias `t`.
   * @throws TypeError for fields that are not declared integers
   */
  fieldColumns(fields: readonly string[]): string {
    const columns = checkedIntegers(this.schema, fields).map((field) => safely(`t.${quoted(field)}`, 'integer'));
    return [this.keyColumn, ...columns].join(', ');
  }

  /** Decodes a row of `fieldColumns`. */
  fieldsRow(row: Row, fields: readonly string[]): FieldsRow {
    const values = fields.map((field, index): [string, number | null] => [field, row[index + 1] as number | null]);
    return { key: this.decodeKey(row[0]), fields: Object.fromEntries(values) };
  }

  /**
   * Verifies some documents, and that the lists name them.
   * @param after key of the last document verified before
   * @returns key of the last of them; undefined at the end
   * @throws ReadStoreDamaged
   */
  verify(after: Key | undefined, atMost: number): Key | undefined {
    const beyond = after === undefined ? '1' : 't."$key" > ?';
    const sql = `SELECT ${this.columns} FROM ${this.table} t WHERE ${beyond} ORDER BY t."$key" LIMIT ?`;
    const params = after === undefined ? [atMost] : [after, atMost];
    const docs = this.db.rows(sql, params).map((row) => [this.decodeKey(row[0]), this.decode(row)] as const);
    for (const list of this.lists.values())
      if (!list.hasAll(docs.map(([key, doc]) => [this.bindKey(key), doc[list.field]])))
        throw this.#damaged(`the list ${list.field}`);
    if (this.words?.hasAll(docs as [number, Document][]) === false) throw this.#damaged(`the list ${this.words.field}`);
    return docs.length < atMost ? undefined : docs.at(-1)?.[0];
  }

  /** Fields of the existing documents, by key. */
  fieldsOf(keys: readonly Key[], fields: readonly string[]): Map<Key, FieldsRow> {
    const sql = `SELECT ${this.fieldColumns(fields)} FROM ${this.table} t WHERE t."$key" IN (SELECT value FROM json_each(?))`;
    const rows = this.db.rows(sql, [JSON.stringify(keys.map((key) => this.bindKey(key)))]);
    return new Map(rows.map((row) => [this.decodeKey(row[0]), this.fieldsRow(row, fields)]));
  }

  /** How a column with keys is read. */
  keyOf(column: string): string {
    return safely(column, this.schema.key);
  }

  /**
   * Decodes a value of `keyOf`.
   * @throws ReadStoreDamaged
   */
  decodeKey(value: unknown): Key {
    if (this.schema.key === 'text' ? Buffer.isBuffer(value) : typeof value === 'number') return textOf(value) as Key;
    throw this.#damaged('a key');
  }

  /**
   * Decodes a row of `columns` to its document.
   * @throws ReadStoreDamaged when it is not what was written
   */
  decode(row: Row): Document {
    const key = this.decodeKey(row[0]);
    const position = row[this.#positionColumn];
    const body = row[this.#positionColumn + 1];
    const doc = parsed(body);
    if (doc === undefined) throw this.#damaged(`the document ${key}`);
    const values = this.#fields.map(({ field, column }) => {
      const value = textOf(row[column]);
      if (Object.hasOwn(doc, field)) return null;
      if (value !== null) doc[field] = value;
      return value;
    });
    if (sumOf(key, position, values, body as Buffer) === row[this.#positionColumn + 2]) return doc;
    throw this.#damaged(`the document ${key}`);
  }

  #damaged(what: string): ReadStoreDamaged {
    const { name } = this.schema;
    return this.db.damaged(`${what} of ${name} is not what was written`, { collection: name });
  }

  bindKey(key: unknown): Bind {
    return checkedKey(this.schema, key);
  }

  bindField(field: string, value: FieldValue): Bind {
    return declaredValue(this.schema, field, this.schema.fields[field] ?? 'text', value);
  }

  #encode(params: Bind[], key: Key, doc: Document, position: number): void {
    const bound = this.bindKey(key);
    params.push(bound, position);
    const values: Bind[] = [];
    const rest: Document = {};
    for (const name of Object.keys(doc)) {
      if (this.#declared.has(name)) continue;
      if (name === '__proto__')
        throw new TypeError(`A document of ${this.schema.name} has a field that no document may have.`);
      rest[name] = doc[name];
    }
    for (const { field, type } of this.#fields) {
      const value = doc[field];
      const column = declaredValue(this.schema, field, type, value);
      const isWhole =
        value !== null && typeof value !== 'boolean' && !(typeof value === 'string' && FRAGILE_TEXT.test(value));
      if (!isWhole) rest[field] = value;
      params.push(column);
      values.push(isWhole ? column : null);
    }
    const body = JSON.stringify(rest);
    params.push(body, sumOf(bound, position, values, body));
  }

  #upsertSql(rows: number): string {
    const columns = ['$key', '$position', ...this.#declared, '$body', '$sum'].map(quoted);
    const row = `(${placeholders(columns.length)})`;
    const sets = columns.slice(1).map((column) => `${column} = excluded.${column}`);
    return (
      `INSERT INTO ${this.table} (${columns.join(', ')}) VALUES ${Array<string>(rows).fill(row).join(', ')} ` +
      `ON CONFLICT ("$key") DO UPDATE SET ${sets.join(', ')} WHERE excluded."$position" >= ${this.table}."$position"`
    );
  }

  /**
   * Updates the lists.
   * @returns the writes that no later position forbids
   */
  #applyLists(
    writes: ReadonlyMap<Key, object | undefined>,
    position: number,
    fresh: ReadonlySet<Key>,
  ): ReadonlyMap<Key, object | undefined> {
    const due = new Map(writes);
    const lists = [...this.lists.values()];
    const sql = `SELECT ${this.columns} FROM ${this.table} t WHERE t."$key" IN (SELECT value FROM json_each(?))`;
    const keys = [...writes.keys()];
    for (let at = 0; at < keys.length; at += DOCUMENTS_PER_COMPARISON) {
      const chunk = keys.slice(at, at + DOCUMENTS_PER_COMPARISON);
      const additions = lists.map((): Bind[] => []);
      const words: AddedWords[] = [];
      const known = fresh.size === 0 ? chunk : chunk.filter((key) => !fresh.has(key));
      const rows = known.length === 0 ? [] : this.db.rows(sql, [JSON.stringify(known)]);
      const before = new Map(rows.map((row) => [this.decodeKey(row[0]), row]));
      for (const key of chunk) {
        const row = before.get(key);
        const old = row && this.decode(row);
        if (row !== undefined && (row[this.#positionColumn] as number) > position) {
          due.delete(key);
          continue;
        }
        const doc = writes.get(key) as Document | undefined;
        lists.forEach((list, index) => {
          const added = list.replace(this.bindKey(key), old?.[list.field], doc?.[list.field]);
          for (const value of added) additions[index]?.push(value);
        });
        const added = this.words?.replace(this.bindKey(key) as number, old, doc);
        if (added !== undefined) words.push(added);
      }
      lists.forEach((list, index) => list.insert(additions[index] ?? []));
      this.words?.insert(words);
    }
    this.words?.merge();
    return due;
  }
}

/** How a column is read, whatever is in it. */
function safely(column: string, type: 'integer' | 'text'): string {
  return type === 'text' ? `CAST(${column} AS BLOB)` : `${column} + 0`;
}

function textOf(value: unknown): string | number | null {
  return Buffer.isBuffer(value) ? value.toString() : (value as number | null);
}

function parsed(body: unknown): Document | undefined {
  try {
    const value: unknown = JSON.parse((body as Buffer).toString());
    return typeof value === 'object' && value !== null ? (value as Document) : undefined;
  } catch {
    return undefined;
  }
}

/** Covers all columns of a document, except values that are in its body. */
function sumOf(key: Bind, position: unknown, values: readonly Bind[], body: string | Buffer): number {
  const head = `${key}\n${String(position)}\n${values.join('\n')}\n`;
  // A call costs as much as some hundred bytes. As a signed number, which SQLite stores in four bytes.
  return (typeof body === 'string' ? crc32(head + body) : crc32(body, crc32(head))) | 0;
}

export function placeholders(count: number): string {
  return count === 1 ? '?' : `${'?, '.repeat(count - 1)}?`;
}
