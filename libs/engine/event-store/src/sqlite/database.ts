import { closeSync, existsSync, openSync } from 'node:fs';
import Database from 'libsql';
import AsyncDatabase from 'libsql/promise';
import { DamagedRecord, EventStoreUnavailable } from '../event-store.js';

export type Connection = Database.Database;
export type Statement = Database.Statement;

const SCHEMA_VERSION = 1;

/** Long enough for WAL recovery or a checkpoint by another process, the only locks that conflict. */
const BUSY_TIMEOUT_MS = 5_000;

/** In pages of 4 KiB. At the default of 1,000, one append in some hundreds waits 7 ms for a checkpoint. */
const WAL_AUTOCHECKPOINT_PAGES = 16_384;

/** A WAL that grew beyond this while a reader held it back is truncated again. */
const WAL_SIZE_LIMIT_BYTES = 128 * 1024 * 1024;

// The event id has no index: a repeated append is recognised by the ids at the revisions that it asks for.
const SCHEMA = `
  CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE event_types (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream_id INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    event_id BLOB NOT NULL,
    type_id INTEGER NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT,
    recorded_at_ms INTEGER NOT NULL,
    checksum INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX events_by_stream ON events (stream_id, revision);
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Opens a database file; creates it when missing. When SQLite cannot open it, libsql gives no code, and a message about
 * itself.
 * @throws EventStoreUnavailable
 */
export function openFile(path: string): Connection {
  try {
    return new Database(path);
  } catch (error) {
    throw new EventStoreUnavailable(
      `${path} cannot be opened. Check that it is a file that this user may read and write.`,
      {
        cause: error,
      },
    );
  }
}

/** Opens the log for its one writer; creates it when missing. */
export function openForWriting(path: string): Connection {
  // Created here first, because SQLite would make it readable for all users. An existing file is not touched: closing a
  // second descriptor of a database file drops the locks that SQLite holds on it in this process.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const db = openFile(path);
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  db.exec('PRAGMA journal_mode = WAL');
  // FULL: a commit returns after its fsync.
  db.exec('PRAGMA synchronous = FULL');
  db.exec(`PRAGMA wal_autocheckpoint = ${WAL_AUTOCHECKPOINT_PAGES}`);
  db.exec(`PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
  if (schemaVersion(db) === 0) db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
  assertSchemaVersion(db, path);
  return db;
}

/**
 * Commits on a thread of the driver, so that the event loop serves other requests while the disk syncs. The connection
 * must not be used before the promise settles: such a call would block on the disk.
 */
export async function commitOffThread(db: Connection): Promise<void> {
  // The driver's two classes share their connections; only their methods differ.
  await (AsyncDatabase.prototype.exec.call(db as never, 'COMMIT') as unknown as Promise<void>);
}

/** Writes a page of any content and syncs it: the only way to find out whether there is space. */
export function tryToWrite(db: Connection): void {
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/**
 * Whether a write failed with a reported error, mostly for lack of space: nothing of it counts, and the next write
 * overwrites it. After a failed sync the contents of the disk are unknown.
 */
export function isOutOfRoom(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && OUT_OF_ROOM.has(code);
}

/**
 * The last code is the file of the shared memory, which grows with the write-ahead log; ENOSPC and EDQUOT are Node's.
 */
const OUT_OF_ROOM = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT']);

/** Whether a value is larger than the 10^9 bytes that SQLite allows. */
export function isTooBig(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_TOOBIG';
}

/** Opens an existing log, whether or not a server is writing to it. */
export function openForReading(path: string): Connection {
  if (!existsSync(path)) throw new EventStoreUnavailable(`There is no event log at ${path}.`);
  const db = openFile(path);
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // The driver ignores its option `readonly`.
  db.exec('PRAGMA query_only = ON');
  assertSchemaVersion(db, path);
  return db;
}

function schemaVersion(db: Connection): number {
  return (db.prepare('PRAGMA user_version').raw().get() as [number])[0];
}

function assertSchemaVersion(db: Connection, path: string): void {
  const version = schemaVersion(db);
  if (version === SCHEMA_VERSION) return;
  throw new EventStoreUnavailable(
    `The event log at ${path} has format ${version}; this version reads format ${SCHEMA_VERSION}.`,
  );
}

export const MALFORMED = 'SQLite finds the database file malformed';

/** Reports the position of the damage when SQLite finds its file malformed. */
export function orDamaged<Result>(position: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const code = sqliteCode(error);
    // SQLITE_ERROR: a constant statement does not fit the tables any more.
    if (code?.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || code === 'SQLITE_ERROR') {
      throw new DamagedRecord(position, `${MALFORMED} there or after it`);
    }
    throw error;
  }
}

function sqliteCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
