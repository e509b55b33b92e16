import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, openForWriting } from './database.js';
import { LOG_QUERIES } from './log-queries.js';

let directory: string;
let db: Connection;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'event-log-'));
  db = openForWriting(join(directory, 'events.db'));
});

afterAll(() => {
  db.close();
  rmSync(directory, { recursive: true });
});

/** SQLite's query plan, step by step. */
function planOf(query: string): string {
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${query}`).raw().all([]) as [number, number, number, string][];
  return steps.map(([, , , step]) => step).join('; ');
}

test.each(Object.entries(LOG_QUERIES).filter(([name]) => name !== 'types'))(
  '%s finds its rows by an index and in order',
  (_, query) => {
    expect(planOf(query)).toMatch(/^SEARCH [^;]*(?:; LIST SUBQUERY \d+; SCAN json_each [^;]*)?$/);
  },
);

test('a query that sorts is noticed', () => {
  expect(planOf('SELECT CAST(position AS INTEGER) AS position FROM events ORDER BY position')).not.toMatch(
    /^SEARCH [^;]*$/,
  );
});
