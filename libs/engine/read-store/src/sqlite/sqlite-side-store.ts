import { crc32 } from 'node:zlib';
import { type JsonObject, parsedJson } from '#kernel';
import { KeyValueStore, ReadStoreDamaged } from '../read-store.js';
import { type Row, SqliteDatabase } from './sqlite-database.js';
import { markDamaged, setAside, setAsideIfMarked } from './unsynced-mark.js';

/** Small and rarely read: it needs little memory. */
const MEMORY = { cacheKib: 2_048, mappedBytes: 0 };

const TABLE =
  'CREATE TABLE IF NOT EXISTS side (kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, sum INTEGER, PRIMARY KEY (kind, id)) WITHOUT ROWID';
/** Text is read as bytes: at text that is not UTF-8 the driver aborts the process. */
const ENTRY = 'CAST(id AS BLOB), CAST(value AS BLOB), sum + 0';

/**
 * Key-value store in its own file, so that the read models can be discarded without it. What is damaged is given up: a client
 * registers its queue again, and a snapshot is made again.
 */
export class SqliteKeyValueStore extends KeyValueStore {
  readonly #db: SqliteDatabase;

  constructor(private readonly path: string) {
    super();
    if (setAsideIfMarked(path)) tell(`${path} was damaged. It is set aside, and begins anew.`);
    this.#db = openOrBeginAnew(path);
  }

  override async put(kind: string, id: string, value: JsonObject): Promise<void> {
    const text = JSON.stringify(value);
    this.#db.run('INSERT OR REPLACE INTO side VALUES (?, ?, ?, ?)', [kind, id, text, sumOf(kind, id, text)]);
    this.#db.wrote(1);
  }

  override async get(kind: string, id: string): Promise<JsonObject | undefined> {
    const rows = this.#db.rows(`SELECT ${ENTRY} FROM side WHERE kind = ? AND id = ?`, [kind, id]);
    return this.#sound(kind, rows)[0]?.value;
  }

  override async list(kind: string): Promise<readonly { readonly id: string; readonly value: JsonObject }[]> {
    return this.#sound(kind, this.#db.rows(`SELECT ${ENTRY} FROM side WHERE kind = ? ORDER BY id`, [kind]));
  }

  override async remove(kind: string, id: string): Promise<void> {
    this.#db.run('DELETE FROM side WHERE kind = ? AND id = ?', [kind, id]);
  }

  override async close(): Promise<void> {
    await this.#db.close();
  }

  /** The entries that are as they were written. */
  #sound(kind: string, rows: readonly Row[]): { readonly id: string; readonly value: JsonObject }[] {
    return rows.flatMap(([id, text, sum]) => {
      const value = Buffer.isBuffer(id) && Buffer.isBuffer(text) ? valueOf(kind, String(id), text, sum) : undefined;
      if (value !== undefined) return [{ id: String(id), value }];
      tell(`An entry of the kind ${kind} in ${this.path} is damaged, and is given up.`);
      this.#db.run('DELETE FROM side WHERE kind = ? AND CAST(id AS BLOB) = CAST(? AS BLOB)', [kind, String(id)]);
      return [];
    });
  }
}

function openOrBeginAnew(path: string): SqliteDatabase {
  try {
    return open(path);
  } catch (error) {
    if (!(error instanceof ReadStoreDamaged)) throw error;
    tell(`${error.message} It is set aside, and begins anew.`);
    setAside(path);
    return open(path);
  }
}

function open(path: string): SqliteDatabase {
  const onDamage = (): void => {
    if (path !== ':memory:') markDamaged(path);
  };
  const db = new SqliteDatabase(path, { ...MEMORY, isTrusted: true, onDamage });
  try {
    db.exec(TABLE);
    // Entries of earlier releases have no checksum.
    const columns = db
      .rows("SELECT CAST(name AS BLOB) FROM pragma_table_info('side')", [])
      .map(([name]) => String(name));
    if (!columns.includes('sum')) db.exec('ALTER TABLE side ADD COLUMN sum INTEGER');
    db.rows('SELECT count(*) FROM side', []);
    return db;
  } catch (error) {
    db.abandon();
    throw error;
  }
}

/** @returns undefined for an entry that is not what was written */
function valueOf(kind: string, id: string, text: Buffer, sum: unknown): JsonObject | undefined {
  if (sum !== null && sum !== sumOf(kind, id, text)) return undefined;
  return parsedJson(text.toString()) as JsonObject | undefined;
}

function sumOf(kind: string, id: string, text: string | Buffer): number {
  return crc32(text, crc32(`${kind}\n${id}\n`)) | 0;
}

function tell(text: string): void {
  process.emitWarning(text);
}
