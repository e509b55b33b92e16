import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractRegistry, note } from '../contract/log.contract.js';
import { type Connection, openForReading } from './database.js';
import { LOG_QUERIES } from './log-queries.js';
import { LogReader } from './log-reader.js';
import { rowsIn } from './page-blob.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { tamperWithLog } from './tamper.fixture.js';

let folder: string;
let path: string;
let db: Connection;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'page-blob-'));
  path = join(folder, 'log.db');
  const store = SqliteEventStore.open(path, contractRegistry);
  for (const text of ['plain', '', 'ä, 😀\n", 1,2', 'last'])
    await store.append('1.a', 'any', [note(text, text === '' ? undefined : { o: '7.2n' })]);
  await store.close();
});

afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

function pages(): { readonly blob: unknown; readonly rows: unknown } {
  db = openForReading(path);
  const [blob] = db.prepare(LOG_QUERIES.pageBlob).raw().get([1, 3]) as [Buffer];
  return { blob: rowsIn(blob), rows: db.prepare(LOG_QUERIES.page).raw().all([1, 3, 9]) };
}

test('a page as one value has the rows of a query', () => {
  const { blob, rows } = pages();
  expect(blob).toHaveLength(2);
  expect(blob).toEqual(rows);
});

test.each([
  ["data = x'ff00fe2c'"],
  ["data = 'a' || char(0) || ',b'"],
  ["data = ''"],
  ['data = 7.5'],
  ["event_id = x''"],
  ["event_id = 'no id'"],
  ["metadata = x'c3'"],
  ["metadata = ''"],
  ['recorded_at_ms = -5'],
  ["checksum = x'ff'"],
  ["revision = 'text'"],
])('damage reads the same: %s', (damage) => {
  tamperWithLog(path, `UPDATE events SET ${damage} WHERE position = 2`);
  const { blob, rows } = pages();
  expect(blob).toEqual(rows);
});

test('columns without a value read the same', () => {
  tamperWithLog(
    path,
    `CREATE TABLE lax (position INTEGER PRIMARY KEY, stream_id, revision, event_id, type_id, data, metadata, recorded_at_ms, checksum);
    INSERT INTO lax (position) SELECT position FROM events; DROP TABLE events; ALTER TABLE lax RENAME TO events;
    CREATE UNIQUE INDEX events_by_stream ON events (stream_id, revision);`,
  );
  const { blob, rows } = pages();
  expect(blob).toEqual(rows);
});

test('events that are too large for one value together are read in smaller pages', () => {
  db = openForReading(path);
  const prepare = (sql: string) => {
    const statement = db.prepare(sql);
    if (sql !== LOG_QUERIES.pageBlob) return statement;
    const get = (range: [number, number]): unknown => {
      if (range[1] - range[0] > 2) throw Object.assign(new Error('string or blob too big'), { code: 'SQLITE_TOOBIG' });
      return statement.raw().get(range);
    };
    return { raw: () => ({ get }) };
  };
  const reader = new LogReader({ prepare } as unknown as Connection, contractRegistry);
  const positions = [0, 2].map((after) =>
    reader.page(after, 4, 1_024, () => true).events.map(({ position }) => position),
  );
  expect(positions).toEqual([
    [1, 2],
    [3, 4],
  ]);
});
