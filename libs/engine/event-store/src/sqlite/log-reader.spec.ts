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
