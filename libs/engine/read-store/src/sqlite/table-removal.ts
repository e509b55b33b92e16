import { Slices } from '#kernel';
import type { DocumentTable } from './document-table.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** Documents of one statement: it may take no longer than a slice. */
const DOCUMENTS_PER_STATEMENT = 32;

/**
 * Drops tables that no name leads to, slice by slice: SQLite drops one in a single step, which takes a second for each GB. A table that a
 * stop or a failure leaves is dropped by the next start.
 */
export class TableRemoval {
  readonly #tables = new Set<DocumentTable>();
  readonly #ending = new AbortController();
  #last = Promise.resolve();

  constructor(private readonly db: SqliteDatabase) {}

  /** Tables that are still there. */
  get tables(): readonly DocumentTable[] {
    return [...this.#tables];
  }

  /** Returns at once. */
  add(table: DocumentTable): void {
    this.#tables.add(table);
    this.#last = this.#last
      .then(() => this.#remove(table))
      .catch((error: unknown) => {
        process.emitWarning(`A table of read models is left to the next start: ${String(error)}`);
      });
  }

  /** Resolves when nothing is removed any more, between two slices. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#last;
  }

  async #remove(table: DocumentTable): Promise<void> {
    const { signal } = this.#ending;
    const slices = new Slices();
    for (const statement of table.indexDrops()) {
      if (signal.aborted) return;
      this.db.transaction(() => {
        this.db.exec(statement);
      });
      await slices.next();
    }
    let removed: number;
    do {
      if (signal.aborted) return;
      removed = this.db.transaction(() => {
        let all = 0;
        do {
          const some = table.removeSome(DOCUMENTS_PER_STATEMENT);
          if (some === 0) break;
          all += some;
        } while (!slices.isOver);
        return all;
      });
      this.db.wrote(removed);
      await slices.next();
    } while (removed > 0);
    this.db.transaction(() => {
      table.drop();
    });
    this.#tables.delete(table);
  }
}
