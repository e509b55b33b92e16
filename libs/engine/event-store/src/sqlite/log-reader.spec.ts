import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractRegistry, note } from '../contract/log.contract.js';
import { type Connection, openForReading } from './database.js';
import { LOG_QUERIES } from './log-queries.js';
import { LogReader } from './log-reader.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { tamperWithLog } from './tamper.fixture.js';

type Query = keyof typeof LOG_QUERIES;

let directory: string;
let path: string;
let db: Connection | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'event-log-'));
  path = join(directory, 'events.db');
});

afterEach(async () => {
  db?.close();
  db = undefined;
  await rm(directory, { recursive: true });
});

/** Writes a log, and changes it afterwards. @param lengths how many events each append to a stream has */
async function log(lengths: readonly (readonly [stream: string, events: number])[], sql: string): Promise<void> {
  const store = SqliteEventStore.open(path, contractRegistry);
  for (const [stream, events] of lengths)
    await store.append(
      stream,
      'any',
      Array.from({ length: events }, () => note('text')),
    );
  await store.close();
  tamperWithLog(path, sql);
}

/** A reader of the log. @param onQuery called before each query */
function readerOf(onQuery: (query: Query) => void): LogReader {
  db = openForReading(path);
  const real = db;
  const prepare = (sql: string): unknown => {
    const query = (Object.keys(LOG_QUERIES) as Query[]).find((key) => LOG_QUERIES[key] === sql)!;
    const statement = real.prepare(sql).raw();
    const watched = (method: 'get' | 'all') => (parameters: unknown[]) => {
      onQuery(query);
      return statement[method](parameters);
    };
    return { raw: () => ({ get: watched('get'), all: watched('all') }) };
  };
  return new LogReader({ prepare } as unknown as Connection, contractRegistry);
}

test('an error of the disk while the end of a stream is verified is no damage, and not passed over', async () => {
  await log([['1.s', 3]], 'UPDATE events SET checksum = checksum + 1 WHERE position = 3');
  const broken = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' });
  let failures = 0;
  const reader = readerOf((query) => {
    if (query !== 'streamName' || failures > 0) return;
    failures += 1;
    throw broken;
  });
  expect(() => reader.verifyEnd(1, 2)).toThrow(broken);
  expect(() => reader.verifyEnd(1, 2)).not.toThrow();
});

test('where a missing record was is sought once, however often its stream is read', async () => {
  await log(
    [
      ['1.s', 1],
      ['1.other', 5],
      ['1.s', 2],
    ],
    'DELETE FROM events WHERE position = 7',
  );
  let pages = 0;
  const reader = readerOf((query) => {
    if (query === 'page') pages += 1;
  });
  for (let read = 0; read < 3; read++)
    expect(() => reader.forwards(1, 0, 10)).toThrow(/position 7 \(1\.s, revision 1\)/);
  expect(() => reader.backwards(1, 2, 10)).toThrow(/position 7 /);
  expect(pages).toBe(1);
});

describe('in a log that is longer than what is searched', () => {
  /** Appends of a thousand events. */
  const others = Array.from({ length: 17 }, () => ['1.other', 1_000] as const);

  test('a first record is sought from the next one of its stream on', async () => {
    await log([...others, ['1.s', 3]], 'DELETE FROM events WHERE position IN (17001, 17002)');
    const reader = readerOf(() => undefined);
    expect(reader.missing(2, 0)).toMatchObject({ position: 17_001, place: { stream: '1.s', revision: 0 } });
    expect(reader.missing(2, 1)).toMatchObject({ position: 17_002, place: { stream: '1.s', revision: 1 } });
  });

  test('no other record is named for one that is not found', async () => {
    await log([['1.s', 1], ...others, ['1.s', 2]], 'DELETE FROM events WHERE position = 17002');
    const damage = readerOf(() => undefined).missing(1, 1);
    expect(damage).toMatchObject({ position: 0, place: { stream: '1.s', revision: 1 } });
    expect(damage.message).toMatch(/^The record at an unknown position \(1\.s, revision 1\) is damaged: /);
  });
});
