import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '#testing';
import { BackgroundCheckpoint } from './background-checkpoint.js';
import { SqliteDatabase } from './sqlite-database.js';
import { SqliteReadStore } from './sqlite-read-store.js';
import { discardIfUnsound, markDamaged, setAside, setAsideIfMarked, UnsyncedMark } from './unsynced-mark.js';

const OPTIONS = { cacheKib: 1_024, mappedBytes: 0 };
/** More than one checkpoint's worth. */
const ROWS = 10_000;
/**
 * Longer than any interval between two checkpoints of the tests, however busy the machine is; the tests advance the
 * time where it matters.
 */
const CALM_AFTER_MS = 30_000;

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'read-store-'));
  path = join(directory, 'read.db');
});
afterEach(() => rm(directory, { recursive: true }));

const markOf = (boot: string): UnsyncedMark => new UnsyncedMark(path, boot);

function open(mark?: UnsyncedMark, calmAfterMs?: number): SqliteDatabase {
  const db = new SqliteDatabase(path, {
    ...OPTIONS,
    ...(mark === undefined ? {} : { mark }),
    ...(calmAfterMs === undefined ? {} : { calmAfterMs }),
  });
  db.exec('CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, note TEXT)');
  return db;
}

async function write(db: SqliteDatabase, from: number, count = ROWS): Promise<void> {
  for (let id = from; id < from + count; id++) {
    db.transaction(() => db.run('INSERT INTO notes VALUES (?, ?)', [id, `note ${id}`]));
    db.wrote(1);
    if (id % 500 === 0) await nextTurn();
  }
  db.commit();
}

const count = (db: SqliteDatabase): unknown => db.rows('SELECT count(*) FROM notes', [])[0]?.[0];
const syncMode = (db: SqliteDatabase): unknown => db.rows('PRAGMA synchronous', [])[0]?.[0];
const [OFF, NORMAL] = [0, 1];

test('under steady writing nothing is synced, and the mark says so', async () => {
  const mark = markOf('this run');
  const db = open(mark);
  expect([mark.isSet, syncMode(db)]).toEqual([false, NORMAL]);
  await write(db, 0);
  await until(() => syncMode(db) === OFF);
  expect(readFileSync(mark.path, 'utf8')).toBe('this run\n');
  await db.close();
  expect(mark.isSet).toBe(false);
});

describe('when writing calms down', () => {
  // The event loop and the driver's thread are not faked.
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  async function turnsUntil(isSo: () => boolean): Promise<void> {
    while (!isSo()) await nextTurn();
  }

  /** Advances the time until writing counts as calm and this has been noticed. */
  async function calm(mark: UnsyncedMark): Promise<void> {
    while (mark.isSet) {
      jest.advanceTimersByTime(CALM_AFTER_MS);
      await nextTurn();
    }
  }

  /** Writes from this ID on, until nothing is synced. */
  async function busy(db: SqliteDatabase, from: number): Promise<void> {
    for (let id = from; syncMode(db) !== OFF; id += ROWS) await write(db, id);
  }

  test('everything is synced, once, and the mark goes', async () => {
    const mark = markOf('this run');
    const clear = jest.spyOn(mark, 'clear');
    const db = open(mark, CALM_AFTER_MS);
    await busy(db, 0);
    expect([mark.isSet, clear.mock.calls.length]).toEqual([true, 0]);
    await calm(mark);
    expect([syncMode(db), clear.mock.calls.length]).toEqual([NORMAL, 1]);
    await busy(db, 10 * ROWS);
    expect(mark.isSet).toBe(true);
    await db.close();
  });

  test('writing that goes on meanwhile puts that off', async () => {
    const mark = markOf('this run');
    await open().close();
    await mark.set();
    let isSynced = true;
    let isBusy = true;
    let writes = 0;
    const checkpoint = new BackgroundCheckpoint(
      path,
      {
        complete: () => undefined,
        touch: () => undefined,
        setSynced: (synced) => (isSynced = synced),
        // While others write, each look at the counter finds more writes than the one before.
        writes: () => (isBusy ? ++writes : writes),
      },
      mark,
      CALM_AFTER_MS,
    );
    checkpoint.start();
    expect(isSynced).toBe(false);
    for (let attempts = 0; attempts < 3; attempts++) {
      await turnsUntil(() => {
        jest.advanceTimersByTime(CALM_AFTER_MS);
        return isSynced;
      });
      await turnsUntil(() => !isSynced);
      expect(mark.isSet).toBe(true);
    }
    isBusy = false;
    await calm(mark);
    expect(isSynced).toBe(true);
    await checkpoint.close();
  });
});

test('a process that is killed loses nothing, and the next one goes on unsynced', async () => {
  const db = open(markOf('this run'));
  await write(db, 0);
  await until(() => markOf('this run').isSet && syncMode(db) === OFF);
  const copy = join(directory, 'killed');
  for (const suffix of ['', '-wal', '.unsynced']) await cp(path + suffix, copy + suffix);
  await db.close();
  path = copy;
  expect(discardIfUnsound(path, markOf('this run'))).toBe(false);
  const again = open(markOf('this run'));
  expect([count(again), syncMode(again)]).toEqual([ROWS, OFF]);
  await again.close();
  expect(markOf('this run').isSet).toBe(false);
});

test.each([['another run'], ['']])('after a crash of the machine the file is not trusted (now: %j)', async (now) => {
  await open().close();
  for (const suffix of ['-wal', '-shm']) writeFileSync(path + suffix, 'half of it');
  await markOf('this run').set();
  expect(discardIfUnsound(path, markOf(now))).toBe(true);
  for (const suffix of ['', '-wal', '-shm', '.unsynced']) expect(existsSync(path + suffix)).toBe(false);
  expect(discardIfUnsound(path, markOf(now))).toBe(false);
});

test('where runs of the system cannot be told apart everything is synced', async () => {
  const mark = markOf('');
  const db = open(mark);
  await write(db, 0, 3 * ROWS);
  expect([mark.isSet, syncMode(db)]).toEqual([false, NORMAL]);
  await db.close();
});

test('a store says that it begins anew', async () => {
  const first = new SqliteReadStore(path);
  expect(first.discarded).toBeUndefined();
  await first.collection({ name: 'notes', key: 'integer', fields: {}, indexes: [] });
  await first.commit({
    writes: [{ collection: 'notes', key: 1, doc: { text: 'x' } }],
    position: 1,
    checkpoints: { notes: { checkpoint: '1', position: 1 } },
  });
  await first.close();
  writeFileSync(`${path}.unsynced`, 'another run\n');
  const second = new SqliteReadStore(path);
  expect(second.discarded).toBe('crash');
  expect(await second.checkpoint('notes')).toBeUndefined();
  await second.close();
});

test('a damaged database is set aside once', () => {
  writeFileSync(path, 'damaged');
  markDamaged(path);
  setAside(path);
  writeFileSync(path, 'begun anew');
  expect(setAsideIfMarked(path)).toBe(false);
  expect([path, `${path}.damaged`].map((file) => readFileSync(file, 'utf8'))).toEqual(['begun anew', 'damaged']);
});
