import AsyncDatabase from 'libsql/promise';

/** Rows written between two checkpoints; a row touches some five to twenty pages of the write-ahead log. */
const ROWS_BETWEEN = 4_096;
/** Passes off the main thread before the short one on it: each has less left to do than the one before. */
const PASSES = 2;

/** The driver's types leave out that this one answers later. */
interface AsyncConnection {
  exec(sql: string): Promise<void>;
  close(): void;
}

/**
 * Moves the write-ahead log into the file on a thread of the driver, through a connection of its own. On the main thread
 * it would hold up everything for 50 ms every few seconds of steady writing; what is left to do there takes about one.
 */
export class BackgroundCheckpoint {
  #rows = 0;
  #db: AsyncConnection | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly path: string,
    /** The last, short pass, on the connection that writes: it lets the log begin anew. */
    private readonly complete: () => void,
  ) {}

  wrote(rows: number): void {
    this.#rows += rows;
    if (this.#rows < ROWS_BETWEEN || this.#running !== undefined) return;
    this.#rows = 0;
    this.#running = this.#run().finally(() => (this.#running = undefined));
  }

  async close(): Promise<void> {
    await this.#running;
    this.#db?.close();
  }

  async #run(): Promise<void> {
    try {
      this.#db ??= new AsyncDatabase(this.path, {}) as unknown as AsyncConnection;
      for (let pass = 0; pass < PASSES; pass++) await this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)');
      this.complete();
    } catch {
      // The log merely stays longer for now. A disk that fails shows in the next commit, which also does the checkpoint
      // itself once the log has grown far enough.
    }
  }
}
