import { EventStoreUnavailable } from '../event-store.js';
import { type Connection, openFile } from './database.js';

/**
 * Lock that keeps a second server from writing to the same log: an exclusive transaction held open on an empty database
 * beside it. The operating system releases it when the process ends in any way, and readers of the log never meet it.
 */
export class WriterLock {
  readonly #db: Connection;

  private constructor(db: Connection) {
    this.#db = db;
  }

  /** @throws EventStoreUnavailable when another process, or another store in this one, holds it, or its file is damaged */
  static take(logPath: string): WriterLock {
    const db = openFile(`${logPath}.lock`);
    try {
      db.exec('PRAGMA journal_mode = MEMORY');
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code === 'SQLITE_NOTADB')
        throw new EventStoreUnavailable(`${logPath}.lock is damaged. It holds nothing: remove it.`, { cause: error });
      if (!/^SQLITE_(?:BUSY|LOCKED)/.test(code)) throw error;
      throw new EventStoreUnavailable(
        `Another server is already writing to ${logPath}. Stop it first, or give this one a data directory of its own.`,
        { cause: error },
      );
    }
    return new WriterLock(db);
  }

  release(): void {
    // Closing is not enough: the driver keeps a connection until its statements are collected.
    this.#db.exec('ROLLBACK');
    this.#db.close();
  }
}
