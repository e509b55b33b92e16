import { type AsyncConnection, openAsyncConnection } from './async-connection.js';
import type { UnsyncedMark } from './unsynced-mark.js';

/** Rows written between two checkpoints; a row touches some five to twenty pages of the write-ahead log. */
const ROWS_BETWEEN = 4_096;
/**
 * Passes off the main thread before the short one on it. Each has only to do what was written during the one before, and the
 * last one what takes the main thread some milliseconds; but writing may be faster than they are.
 */
const PASSES_MIN = 2;
const PASSES_MAX = 8;
const ROWS_LEFT_MAX = 128;
/** Checkpoints that follow each other more closely are not synced. */
const CALM_AFTER_MS = 30_000;
/** Concurrent writes leave a sync incomplete; attempts before it is postponed. */
const SETTLE_ATTEMPTS = 3;

/** Operations of a checkpoint on the writing connection. Each commits first. */
export interface WritingConnection {
  /** The last, short pass, after which the log starts over. */
  complete(): void;
  /** Whether checkpoints, and the restart of the log, are synced. */
  setSynced(isSynced: boolean): void;
  /** Writes a page of any content. */
  touch(): void;
  /** Counter of possible writes. */
  writes(): number;
}

/**
 * Checkpoints the write-ahead log on a thread of the driver, through its own connection. On the main thread this would
 * block for 50 ms every few seconds of steady writing; the remaining part there takes about one.
 * A sync takes some 20 ms of the disk, in which no append to the event log is acknowledged. So under steady writing,
 * when checkpoints come every few seconds, they are not synced, and a mark records that. When writing calms down,
 * everything is synced once and the mark is removed.
 */
export class BackgroundCheckpoint {
  #rows = 0;
  #dueMs = performance.now();
  #isSynced = true;
  #settling: NodeJS.Timeout | undefined;
  #db: AsyncConnection | undefined;
  #running: Promise<void> | undefined;

  /** @param mark without it, everything is synced */
  constructor(
    private readonly path: string,
    private readonly writing: WritingConnection,
    private readonly mark: UnsyncedMark | undefined,
    private readonly calmAfterMs = CALM_AFTER_MS,
  ) {}

  /** Must be called when the file is open. */
  start(): void {
    if (this.mark?.isSet === true) this.#unsync();
  }

  wrote(rows: number): void {
    this.#rows += rows;
    if (this.#rows < ROWS_BETWEEN || this.#running !== undefined) return;
    this.#rows = 0;
    const isBusy = performance.now() - this.#dueMs < this.calmAfterMs;
    this.#dueMs = performance.now();
    this.#begin(() => this.#move(isBusy));
  }

  async close(): Promise<void> {
    clearTimeout(this.#settling);
    await this.#running;
    this.#db?.close();
    if (this.mark?.isSet !== true) return;
    // The last checkpoint, which folds the log, must sync everything.
    this.writing.setSynced(true);
    this.writing.touch();
  }

  #begin(work: () => Promise<void>): void {
    this.#running = work()
      .catch(() => {
        // The log only stays longer. A failing disk shows in the next commit, which also checkpoints once the log has
        // grown far enough.
      })
      .finally(() => (this.#running = undefined));
  }

  async #move(isBusy: boolean): Promise<void> {
    if (isBusy && this.#isSynced && (await this.#isMarked())) this.#unsync();
    for (let pass = 0, left = Infinity; pass < PASSES_MIN || (left > ROWS_LEFT_MAX && pass < PASSES_MAX); pass++) {
      const before = this.#rows;
      await this.#pass();
      left = this.#rows - before;
    }
    this.writing.complete();
    this.#settling?.refresh();
  }

  async #isMarked(): Promise<boolean> {
    if (this.mark?.isPossible !== true) return false;
    try {
      await this.mark.set();
      return true;
    } catch {
      return false; // Synced: slower, but safe.
    }
  }

  #unsync(): void {
    this.#isSynced = false;
    this.writing.setSynced(false);
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      if (this.#running === undefined) this.#begin(() => this.#settle());
      else this.#settling?.refresh();
    }, this.calmAfterMs).unref();
  }

  /** Syncs everything, and removes the mark when that is certain. */
  async #settle(): Promise<void> {
    this.writing.setSynced(true);
    this.#isSynced = true;
    for (let attempt = 0; attempt < SETTLE_ATTEMPTS; attempt++) {
      // Without a page to move, SQLite syncs nothing, not even what was moved before.
      this.writing.touch();
      const writes = this.writing.writes();
      await this.#pass();
      // A pass syncs the file only when it moved all pages.
      if (this.writing.writes() !== writes) continue;
      this.mark?.clear();
      return;
    }
    this.#unsync();
  }

  async #pass(): Promise<void> {
    this.#db ??= openAsyncConnection(this.path);
    await this.#db.exec(`PRAGMA synchronous=${this.#isSynced ? 'NORMAL' : 'OFF'}; PRAGMA wal_checkpoint(PASSIVE)`);
  }
}
