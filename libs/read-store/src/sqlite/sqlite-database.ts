import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { ReadStoreDamaged, ReadStoreUnavailable } from '../read-store.js';
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
/**
 * Steps that follow each other closely share one commit: writing a page once for all of them is what makes them cheap. A
 * process that is killed before it repeats them from the log.
 */
const COMMIT_WITHIN_MS = 20;
const STEPS_PER_COMMIT_MAX = 256;
/**
 * A step of more rows is a commit of its own. Inside a savepoint, SQLite remembers what every page held in a list that it
 * walks through after each statement: a step of a few thousand rows took ten times as long.
 */
const ROWS_PER_SAVEPOINT_MAX = 512;
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

/** Some failures, such as a full disk, undo steps that everybody has seen. Whoever relies on them has to start anew. */
export class StepsLost extends Error {
  /** What the edge answers. */
  readonly statusCode = 503;

  constructor(path: string) {
    super(`The newest steps in ${path} were lost. Make room and start the server again: they are repeated.`);
    this.name = 'StepsLost';
  }
}

/** Quotes an identifier that `checkedName` has seen. */
export function quoted(name: string): string {
  return `"${name}"`;
}

/**
 * One connection to one file in WAL mode. What is in here follows from the log, so commits are not synced and come a little
 * after the steps that they cover, which everybody on this connection sees at once. A kill or a power failure takes the
 * newest steps, checkpoints included: they are repeated.
 */
export class SqliteDatabase {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Statement>();
  readonly #checkpoint: BackgroundCheckpoint | undefined;
  #closed = false;
  /** Steps since the last commit. */
  #steps = 0;
  #committing: NodeJS.Timeout | undefined;

  constructor(
    readonly path: string,
    memory: SqliteMemory,
  ) {
    const isFile = path !== ':memory:';
    if (isFile) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Created by us first, because SQLite would make it readable for everybody.
    if (isFile && !existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    this.#db = new Database(path);
    if (isFile)
      this.#checkpoint = new BackgroundCheckpoint(path, () => {
        this.commit();
        this.#db.pragma('wal_checkpoint(PASSIVE)');
      });
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
    this.#assertOpen();
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
    this.#assertWhole();
    const statement = this.prepare(sql);
    return this.#guarded(() => statement.all(params));
  }

  run(sql: string, params: readonly Bind[]): number {
    const statement = this.prepare(sql);
    return this.#guarded(() => statement.run(params).changes);
  }

  exec(sql: string): void {
    this.#assertOpen();
    this.#guarded(() => this.#db.exec(sql));
  }

  /** A step: all of it or nothing. Must not be nested. @param rows how many it writes, about */
  transaction<Result>(work: () => Result, rows = 1): Result {
    this.#assertOpen();
    const isLarge = rows > ROWS_PER_SAVEPOINT_MAX;
    if (isLarge) this.commit();
    // The first step needs no savepoint: there is nothing else to keep.
    const isFirst = !this.#db.inTransaction;
    if (isFirst) this.#begin();
    else this.exec('SAVEPOINT step');
    let result: Result;
    try {
      result = work();
    } catch (error) {
      this.#undo(isFirst);
      throw error;
    }
    if (!isFirst) this.exec('RELEASE step');
    if (++this.#steps >= STEPS_PER_COMMIT_MAX || isLarge) this.commit();
    return result;
  }

  /** Makes the steps so far outlive the process. */
  commit(): void {
    clearTimeout(this.#committing);
    this.#committing = undefined;
    if (this.#closed || !this.#db.inTransaction) return;
    this.exec('COMMIT');
    this.#steps = 0;
  }

  #begin(): void {
    this.#assertWhole();
    this.exec('BEGIN IMMEDIATE');
    this.#committing = setTimeout(() => {
      try {
        this.commit();
      } catch {
        // The steps stay visible, and the next one meets the same trouble where somebody can deal with it.
      }
    }, COMMIT_WITHIN_MS);
  }

  #undo(isFirst: boolean): void {
    // Some failures, such as a full disk, have rolled back everything already.
    if (!this.#db.inTransaction) return;
    if (isFirst) {
      clearTimeout(this.#committing);
      this.exec('ROLLBACK');
      return;
    }
    this.exec('ROLLBACK TO step');
    this.exec('RELEASE step');
  }

  /** To be told after a commit how much it was, so that the write-ahead log is moved into the file in time. */
  wrote(rows: number): void {
    this.#checkpoint?.wrote(rows);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#checkpoint?.close();
    this.commit();
    this.#closed = true;
    this.#statements.clear();
    if (this.#checkpoint !== undefined) this.#db.pragma('wal_checkpoint(TRUNCATE)');
    this.#db.close();
  }

  /** What was visible is not shown again as if it had never been: a message that was deleted would be back. */
  #assertWhole(): void {
    if (this.#steps > 0 && !this.#closed && !this.#db.inTransaction) throw new StepsLost(this.path);
  }

  /** A closed connection must not even be asked: the native module would abort the process. */
  #assertOpen(): void {
    if (this.#closed) throw new ReadStoreUnavailable('The store is closed.');
  }

  #guarded<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof Error && 'code' in error && typeof error.code === 'string' && TRANSIENT.test(error.code)) {
        throw new ReadStoreUnavailable(`The read store failed: ${error.code}.`, { cause: error });
      }
      if (error instanceof Error && 'code' in error && typeof error.code === 'string' && DAMAGED.test(error.code)) {
        throw new ReadStoreDamaged(
          `${this.path} is damaged. Stop the server, delete this file and start again: what was in it is built again.`,
          { cause: error },
        );
      }
      throw error;
    }
  }
}
