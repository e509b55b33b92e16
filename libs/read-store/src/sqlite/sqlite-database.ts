import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { ReadStoreUnavailable } from '../read-store.js';
import { BackgroundCheckpoint } from './background-checkpoint.js';

/** What a statement can be given. Never a boolean or anything else: the native module would abort the process. */
export type Bind = string | number | null;
export type Row = readonly unknown[];

interface Statement {
  run(params: readonly Bind[]): { changes: number };
  all(params: readonly Bind[]): Row[];
}

/** Prepared statements kept. Queries come in few shapes; a bound keeps an odd caller from filling the memory. */
const STATEMENTS_MAX = 512;
/** 256 MB of write-ahead log: only reached when the background falls behind, since this checkpoint holds everything up. */
const WAL_CHECKPOINT_PAGES = 65_536;
/** Another process may hold the file for a moment (an operator's tool); longer is a fault. */
const BUSY_TIMEOUT_MS = 2_000;

export interface SqliteMemory {
  /** Pages kept in memory, in KiB. */
  readonly cacheKib: number;
  /** Bytes of the file that are mapped instead of read. */
  readonly mappedBytes: number;
}

/** What went wrong outside of the program: it may go away, so the work is worth repeating. */
const TRANSIENT = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|NOMEM|PROTOCOL)/;

const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;

/** Quotes an identifier that `checkedName` has seen. */
export function quoted(name: string): string {
  return `"${name}"`;
}

/** Names become part of statements, so only plain ones are let in. */
export function checkedName(name: string, what: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(name))
    throw new Error(`Not a name for a ${what}: ${JSON.stringify(name)}`);
  return name;
}

/**
 * One connection to one file in WAL mode. Commits are not synced: what is in here follows from the log, and a killed
 * process loses nothing, only a power failure can take the newest commits, checkpoints included.
 */
export class SqliteDatabase {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Statement>();
  readonly #checkpoint: BackgroundCheckpoint | undefined;
  #closed = false;

  constructor(
    readonly path: string,
    memory: SqliteMemory,
  ) {
    const isFile = path !== ':memory:';
    if (isFile) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Created by us first, because SQLite would make it readable for everybody.
    if (isFile && !existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    this.#db = new Database(path);
    if (isFile) this.#checkpoint = new BackgroundCheckpoint(path, () => this.#db.pragma('wal_checkpoint(PASSIVE)'));
    const pragmas = [
      `busy_timeout=${BUSY_TIMEOUT_MS}`,
      'journal_mode=WAL',
      'synchronous=NORMAL',
      `wal_autocheckpoint=${WAL_CHECKPOINT_PAGES}`,
      `cache_size=-${memory.cacheKib}`,
      `mmap_size=${memory.mappedBytes}`,
      'temp_store=MEMORY',
    ];
    this.#guarded(() => pragmas.forEach((pragma) => this.#db.pragma(pragma)));
  }

  prepare(sql: string): Statement {
    if (this.#closed) throw new ReadStoreUnavailable('The store is closed.');
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const prepared = this.#guarded(() => this.#db.prepare(sql)) as unknown as Statement & {
      raw(): Statement;
      reader: boolean;
    };
    const statement = prepared.reader ? prepared.raw() : prepared;
    this.#statements.set(sql, statement);
    if (this.#statements.size > STATEMENTS_MAX) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    }
    return statement;
  }

  rows(sql: string, params: readonly Bind[]): Row[] {
    const statement = this.prepare(sql);
    return this.#guarded(() => statement.all(params));
  }

  run(sql: string, params: readonly Bind[]): number {
    const statement = this.prepare(sql);
    return this.#guarded(() => statement.run(params).changes);
  }

  exec(sql: string): void {
    if (this.#closed) throw new ReadStoreUnavailable('The store is closed.');
    this.#guarded(() => this.#db.exec(sql));
  }

  /** All of it or nothing. Must not be nested. */
  transaction<Result>(work: () => Result): Result {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      // Some failures, such as a full disk, have rolled back already.
      if (this.#db.inTransaction) this.exec('ROLLBACK');
      throw error;
    }
  }

  /** To be told after a commit how much it was, so that the write-ahead log is moved into the file in time. */
  wrote(rows: number): void {
    this.#checkpoint?.wrote(rows);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#checkpoint?.close();
    this.#statements.clear();
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
    this.#db.close();
  }

  #guarded<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof Error && 'code' in error && typeof error.code === 'string' && TRANSIENT.test(error.code)) {
        throw new ReadStoreUnavailable(`The read store failed: ${error.code}.`, { cause: error });
      }
      if (error instanceof Error && 'code' in error && typeof error.code === 'string' && DAMAGED.test(error.code)) {
        throw new Error(
          `${this.path} is damaged. Delete it and start again: read models are built again from the log.`,
          {
            cause: error,
          },
        );
      }
      throw error;
    }
  }
}
