import { closeSync, existsSync, openSync } from 'node:fs';
import { EventStoreUnavailable } from '../event-store.js';
import { type Connection, openFile } from './database.js';

/**
 * Lock that keeps a second process from writing to the same log, or folder: an exclusive transaction held open on an empty
 * database beside it. The operating system releases it when the process ends in any way, and readers of the log never meet it.
 */
export class WriterLock {
  readonly #db: Connection;

  private constructor(db: Connection) {
    this.#db = db;
  }

  /**
   * @param path of what is locked; the lock is beside it
   * @param heldElsewhere what to tell when another process, or another owner in this one, holds it
   * @throws EventStoreUnavailable then, and when its file is damaged
   */
  static take(
    path: string,
    heldElsewhere = `Another server is already writing to ${path}. Stop it first: a second server needs a data directory of its own.`,
  ): WriterLock {
    const file = `${path}.lock`;
    // SQLite would make it readable for all users.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    const db = openFile(file);
    try {
      db.exec('PRAGMA journal_mode = MEMORY');
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code === 'SQLITE_NOTADB')
        throw new EventStoreUnavailable(`${file} is damaged. It holds nothing: remove it.`, { cause: error });
      if (!/^SQLITE_(?:BUSY|LOCKED)/.test(code)) throw error;
      throw new EventStoreUnavailable(heldElsewhere, { cause: error });
    }
    return new WriterLock(db);
  }

  release(): void {
    // Closing is not enough: the driver keeps a connection until its statements are collected.
    this.#db.exec('ROLLBACK');
    this.#db.close();
  }
}
