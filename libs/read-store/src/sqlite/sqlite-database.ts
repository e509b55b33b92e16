import Database from 'libsql';
import { ReadStoreUnavailable } from '../read-store.js';

/** What a statement can be given. Never a boolean or anything else: the native module would abort the process. */
export type Bind = string | number | null;
export type Row = readonly unknown[];

interface Statement {
  run(params: readonly Bind[]): { changes: number };
  all(params: readonly Bind[]): Row[];
}

/** Prepared statements kept. Queries come in few shapes; a bound keeps an odd caller from filling the memory. */
const STATEMENTS_MAX = 512;
/** 64 MB of log between checkpoints: smaller logs make every few commits wait for one. */
const WAL_CHECKPOINT_PAGES = 16_384;
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
  #closed = false;

  constructor(
    readonly path: string,
    memory: SqliteMemory,
  ) {
    this.#db = new Database(path);
    for (const pragma of [
      `busy_timeout=${BUSY_TIMEOUT_MS}`,
      'journal_mode=WAL',
      'synchronous=NORMAL',
      `wal_autocheckpoint=${WAL_CHECKPOINT_PAGES}`,
      `cache_size=-${memory.cacheKib}`,
      `mmap_size=${memory.mappedBytes}`,
      'temp_store=MEMORY',
    ]) {
      this.#db.pragma(pragma);
    }
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

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
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
      throw error;
    }
  }
}
