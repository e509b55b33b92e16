import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { createFolderSync } from '#kernel';
import { ReadStoreDamaged, ReadStoreUnavailable } from '../read-store.js';
import { BackgroundCheckpoint, type WritingConnection } from './background-checkpoint.js';
import type { UnsyncedMark } from './unsynced-mark.js';

/** Values that a statement accepts. Any other type, such as a boolean, makes the native module abort the process. */
export type Bind = string | number | null;

/** A fragment of a statement, with the values for its placeholders. */
export interface Sql {
  readonly text: string;
  readonly params: readonly Bind[];
}
export type Row = readonly unknown[];

interface Statement {
  run(params: readonly Bind[]): { changes: number };
  all(params: readonly Bind[]): Row[];
}

/** Maximum prepared statements kept. Queries come in few shapes; the bound protects the memory from unusual ones. */
const STATEMENTS_MAX = 512;
/**
 * 256 MB of write-ahead log: only reached when the background falls behind, since this checkpoint blocks everything.
 */
const WAL_CHECKPOINT_PAGES = 65_536;
/**
 * Steps that follow each other closely share one commit, which writes each page once for all of them. A process that
 * was killed before the commit repeats them from the log.
 */
const COMMIT_WITHIN_MS = 20;
const STEPS_PER_COMMIT_MAX = 256;
/** Interval at which a failed commit, mostly for lack of space, is retried. */
const COMMIT_AGAIN_MS = 500;
/**
 * A larger step is a separate commit. Inside a savepoint, SQLite remembers each page's previous content in a list that
 * it walks after each statement: a step of a few thousand rows took ten times as long.
 */
const ROWS_PER_SAVEPOINT_MAX = 512;
/** Another process (an operator's tool) may hold the file for a moment; longer is an error. */
const BUSY_TIMEOUT_MS = 2_000;

export interface SqliteOptions {
  /** Page cache, in KiB. */
  readonly cacheKib: number;
  /** Bytes of the file that are memory-mapped. */
  readonly mappedBytes: number;
  /** Under steady writing nothing is synced while this mark is set: the file can be rebuilt (`discardIfUnsound`). */
  readonly mark?: UnsyncedMark;
  /** For tests of what takes half a minute: writing counts as calm when checkpoints are further apart. */
  readonly calmAfterMs?: number;
  /** Called with each damage that is met. */
  readonly onDamage?: (damage: ReadStoreDamaged) => void;
  /** Statements are known to fit the tables, unless the file is damaged. */
  readonly isTrusted?: boolean;
}

/** Errors from outside the program that may go away, so a retry is worthwhile. */
const TRANSIENT = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|NOMEM|PROTOCOL)/;

const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
/** What SQLite says of statements that this program has made for tables of its own, in a file with a flipped bit. */
const MISFITS =
  /malformed|unsupported file format|no such (?:table|column|module)|already exists|has \d+ columns|constraint failed/;

/** A statement that has changed something since the last commit. */
interface Change {
  readonly sql: string;
  /** Parameters of a prepared statement. */
  readonly params?: readonly Bind[];
}

/** A statement whose parameters are made when it runs. */
interface LastChange {
  readonly sql: string;
  readonly params: () => readonly Bind[];
}

const NO_CHANGES: ReadonlyMap<string, LastChange> = new Map();

/**
 * Visible steps were rolled back and could not be repeated. Nothing is shown without them; the repetition is retried.
 */
class StepsLost extends ReadStoreUnavailable {
  constructor(path: string, options?: ErrorOptions) {
    super(`The newest steps in ${path} were undone, and cannot be repeated at the moment.`, options);
    this.name = 'StepsLost';
  }
}

/** Quotes an identifier that `checkedName` has validated. */
export function quoted(name: string): string {
  return `"${name}"`;
}

/**
 * One connection to one file in WAL mode. The contents follow from the log, so commits are not synced and come a little
 * after their steps, which are visible on this connection at once. A kill or a power failure loses the newest steps,
 * including checkpoints: they are repeated.
 */
export class SqliteDatabase {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Statement>();
  readonly #checkpoint: BackgroundCheckpoint | undefined;
  #closed = false;
  /** Steps since the last commit. */
  #steps = 0;
  /**
   * Changes of those steps, for repeating them: some failures, such as a full disk, roll back visible steps. Visible
   * changes must not vanish: a deleted message would be back.
   */
  #changes: Change[] = [];
  /** Changes that only the next commit needs, in the order in which they are made. */
  #lastChanges = NO_CHANGES;
  /** Whether changes are kept: a large step is not visible before its commit. */
  #isKept = false;
  /** Whether all changes are held in memory until they can be committed. */
  #isHeld = false;
  /** Counter of possible writes. */
  #writes = 0;
  #committing: NodeJS.Timeout | undefined;

  constructor(
    readonly path: string,
    private readonly options: SqliteOptions,
  ) {
    const isFile = path !== ':memory:';
    if (isFile) createFolderSync(dirname(path));
    // Created here first, because SQLite would make it readable for all users.
    if (isFile && !existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    this.#db = new Database(path);
    if (isFile) this.#checkpoint = new BackgroundCheckpoint(path, this.#writing(), options.mark, options.calmAfterMs);
    const pragmas = [
      `busy_timeout=${BUSY_TIMEOUT_MS}`,
      'journal_mode=WAL',
      'synchronous=NORMAL',
      `wal_autocheckpoint=${WAL_CHECKPOINT_PAGES}`,
      `cache_size=-${options.cacheKib}`,
      `mmap_size=${options.mappedBytes}`,
      'temp_store=MEMORY',
    ];
    try {
      this.#guarded(() => pragmas.forEach((pragma) => this.#db.pragma(pragma)));
    } catch (error) {
      this.#db.close();
      throw error;
    }
    this.#checkpoint?.start();
  }

  prepare(sql: string): Statement {
    this.assertOpen();
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
    this.assertOpen();
    this.#restore();
    const statement = this.prepare(sql);
    try {
      return this.#guarded(() => statement.all(params));
    } catch (error) {
      // Reads evict cached pages by writing them, which a full disk refuses.
      if (this.#isWhole()) throw error;
      this.#restore();
      return this.#guarded(() => statement.all(params));
    }
  }

  run(sql: string, params: readonly Bind[]): number {
    const statement = this.prepare(sql);
    this.#writes++;
    const { changes } = this.#guarded(() => statement.run(params));
    if (this.#isKept) this.#changes.push({ sql, params });
    return changes;
  }

  /**
   * Makes a change just before the commit of this step, unless a later step of the same commit replaces it: nothing may read its
   * result before. Only inside a transaction.
   * @param name of what it changes
   * @param params called only when the change is made
   */
  runLast(name: string, sql: string, params: () => readonly Bind[]): void {
    const others = new Map(this.#lastChanges);
    others.delete(name);
    this.#lastChanges = others.set(name, { sql, params });
  }

  exec(sql: string): void {
    this.#exec(sql);
    if (this.#isKept) this.#changes.push({ sql });
  }

  #exec(sql: string): void {
    this.assertOpen();
    this.#writes++;
    this.#guarded(() => this.#db.exec(sql));
  }

  /**
   * Runs a step: all of it or nothing. Must not be nested.
   * @param rows approximate number of rows written
   */
  transaction<Result>(work: () => Result, rows = 1): Result {
    this.assertOpen();
    this.#restore();
    if (rows > ROWS_PER_SAVEPOINT_MAX) return this.#largeStep(work);
    // Limits the visible steps to what can be repeated: the next caller waits for their commit.
    if (this.#steps >= STEPS_PER_COMMIT_MAX) this.commit();
    // The first step needs no savepoint: there is nothing else to keep.
    const isFirst = !this.#db.inTransaction;
    if (isFirst) this.#begin();
    else this.#exec('SAVEPOINT step');
    const before = this.#changes.length;
    const lastBefore = this.#lastChanges;
    let result: Result;
    try {
      result = work();
      if (!isFirst) this.#exec('RELEASE step');
    } catch (error) {
      this.#changes.length = before;
      this.#lastChanges = lastBefore;
      this.#undo(isFirst);
      throw error;
    }
    if (++this.#steps >= STEPS_PER_COMMIT_MAX) this.#commitIfPossible();
    return result;
  }

  /** Runs a step as its own commit: when that fails, the step was never visible. */
  #largeStep<Result>(work: () => Result): Result {
    this.commit();
    this.#exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#makeLastChanges();
      this.#exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.inTransaction) this.#exec('ROLLBACK');
      throw error;
    } finally {
      this.#lastChanges = NO_CHANGES;
    }
  }

  /** Commits the steps so far, so that they survive the process. */
  commit(): void {
    clearTimeout(this.#committing);
    this.#committing = undefined;
    if (this.#closed) return;
    this.#restore();
    if (!this.#db.inTransaction) return;
    try {
      this.#makeLastChanges();
      this.#exec('COMMIT');
    } catch (error) {
      this.#commitWithin(COMMIT_AGAIN_MS);
      this.#restore();
      throw error;
    }
    this.#forgetSteps();
  }

  #makeLastChanges(): void {
    for (const { sql, params } of this.#lastChanges.values()) {
      const statement = this.prepare(sql);
      this.#guarded(() => statement.run(params()));
    }
  }

  #begin(): void {
    this.#exec('BEGIN IMMEDIATE');
    this.#isKept = true;
    this.#commitWithin(COMMIT_WITHIN_MS);
  }

  #commitWithin(afterMs: number): void {
    clearTimeout(this.#committing);
    this.#committing = setTimeout(() => {
      this.#commitIfPossible();
    }, afterMs);
  }

  /** The steps stay visible when the commit fails, and are committed later. */
  #commitIfPossible(): void {
    try {
      this.commit();
    } catch {
      // The caller that reaches the limit of steps meets the same failure, and can handle it.
    }
  }

  #forgetSteps(): void {
    this.#steps = 0;
    this.#changes = [];
    this.#lastChanges = NO_CHANGES;
    this.#isKept = false;
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#db.exec('PRAGMA cache_spill = ON');
  }

  #isWhole(): boolean {
    return this.#steps === 0 || this.#closed || this.#db.inTransaction;
  }

  /**
   * Repeats the changes that a failure has rolled back.
   * @throws StepsLost when that fails as well
   */
  #restore(): void {
    if (this.#isWhole()) return;
    this.#isHeld = true;
    try {
      // Everything fits into memory, so that nothing needs disk space before the commit.
      this.#db.exec('PRAGMA cache_spill = OFF; BEGIN IMMEDIATE');
      for (const { sql, params } of this.#changes) {
        if (params === undefined) this.#db.exec(sql);
        else this.prepare(sql).run(params);
      }
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw new StepsLost(this.path, { cause: error });
    }
    if (this.#committing === undefined) this.#commitWithin(COMMIT_AGAIN_MS);
  }

  #undo(isFirst: boolean): void {
    // Some failures, such as a full disk, have rolled back everything already.
    if (!this.#db.inTransaction) {
      if (isFirst) this.#forgetSteps();
      return;
    }
    if (isFirst) {
      clearTimeout(this.#committing);
      this.#committing = undefined;
      this.#exec('ROLLBACK');
      this.#forgetSteps();
      return;
    }
    this.#exec('ROLLBACK TO step');
    this.#exec('RELEASE step');
  }

  /** Called after a commit with its size, so that the write-ahead log is checkpointed in time. */
  wrote(rows: number): void {
    this.#checkpoint?.wrote(rows);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    const isSaved = await this.#save();
    clearTimeout(this.#committing);
    this.#closed = true;
    this.#statements.clear();
    if (isSaved && this.#checkpoint !== undefined && this.#isFolded()) this.options.mark?.clear();
    this.#db.close();
  }

  /** Closes a file that is not used any more, as the end of the process would. */
  abandon(): void {
    clearTimeout(this.#committing);
    this.#closed = true;
    this.#statements.clear();
    // Statements that are still to be collected as garbage keep the connection, and its locks.
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    this.#db.close();
  }

  /** @returns false when the commit fails, for example on a full disk: the next start repeats the newest steps */
  async #save(): Promise<boolean> {
    try {
      await this.#checkpoint?.close();
      this.commit();
      return true;
    } catch (error) {
      if (error instanceof ReadStoreUnavailable || error instanceof ReadStoreDamaged || error instanceof StepsLost)
        return false;
      throw error;
    }
  }

  /**
   * Checkpoints the whole write-ahead log.
   * @returns false when a reader of another process was in the way
   */
  #isFolded(): boolean {
    try {
      const [result] = this.#db.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[];
      return result?.busy === 0;
    } catch {
      // The write-ahead log stays, with all its contents.
      return false;
    }
  }

  /** Operations on this connection for the checkpoint. */
  #writing(): WritingConnection {
    return {
      complete: () => {
        this.commit();
        this.#db.pragma('wal_checkpoint(PASSIVE)');
      },
      setSynced: (isSynced) => {
        this.commit();
        this.#db.pragma(`synchronous=${isSynced ? 'NORMAL' : 'OFF'}`);
      },
      touch: () => {
        this.commit();
        // The same version as before.
        const [[version]] = this.rows('PRAGMA user_version', []) as [[number]];
        this.#db.pragma(`user_version=${version}`);
      },
      writes: () => this.#writes,
    };
  }

  /** A closed connection must not be used: the native module would abort the process. */
  assertOpen(): void {
    if (this.#closed) throw new ReadStoreUnavailable('The store is closed.');
  }

  #guarded<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
      if (TRANSIENT.test(code)) throw new ReadStoreUnavailable(`The read store failed: ${code}.`, { cause: error });
      if (DAMAGED.test(code) || (this.options.isTrusted === true && isMisfit(code, error)))
        throw this.damaged('SQLite cannot read it', { cause: error });
      throw error;
    }
  }

  /**
   * Reports damage.
   * @param what is wrong, without contents
   * @param collection in which a document is damaged, when the rest of the file may be sound
   * @returns the error to throw
   */
  damaged(what: string, options: { readonly collection?: string; readonly cause?: unknown } = {}): ReadStoreDamaged {
    const { collection, cause } = options;
    const message = `${this.path} is damaged: ${what}. If it is not built again by itself, stop the server, delete this file and start again.`;
    const damage = new ReadStoreDamaged(message, { cause }, collection);
    this.options.onDamage?.(damage);
    return damage;
  }
}

function isMisfit(code: string, error: unknown): boolean {
  return /^SQLITE_(ERROR|CONSTRAINT)/.test(code) && error instanceof Error && MISFITS.test(error.message);
}
