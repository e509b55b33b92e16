import type { JsonObject } from '#kernel';
import { KeyValueStore } from '../read-store.js';
import { SqliteDatabase } from './sqlite-database.js';

/** Small and rarely read: it needs little memory. */
const MEMORY = { cacheKib: 2_048, mappedBytes: 0 };

/** Key-value store in its own file, so that the read models can be discarded without it. */
export class SqliteKeyValueStore extends KeyValueStore {
  readonly #db: SqliteDatabase;

  constructor(path: string) {
    super();
    this.#db = new SqliteDatabase(path, MEMORY);
    this.#db.exec(
      'CREATE TABLE IF NOT EXISTS side (kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID',
    );
  }

  override async put(kind: string, id: string, value: JsonObject): Promise<void> {
    this.#db.run('INSERT OR REPLACE INTO side VALUES (?, ?, ?)', [kind, id, JSON.stringify(value)]);
    this.#db.wrote(1);
  }

  override async get(kind: string, id: string): Promise<JsonObject | undefined> {
    const [row] = this.#db.rows('SELECT value FROM side WHERE kind = ? AND id = ?', [kind, id]);
    return row === undefined ? undefined : (JSON.parse(row[0] as string) as JsonObject);
  }

  override async list(kind: string): Promise<readonly { readonly id: string; readonly value: JsonObject }[]> {
    const rows = this.#db.rows('SELECT id, value FROM side WHERE kind = ? ORDER BY id', [kind]);
    return rows.map(([id, value]) => ({ id: id as string, value: JSON.parse(value as string) as JsonObject }));
  }

  override async remove(kind: string, id: string): Promise<void> {
    this.#db.run('DELETE FROM side WHERE kind = ? AND id = ?', [kind, id]);
  }

  override async close(): Promise<void> {
    await this.#db.close();
  }
}
