import {
  existsSync,
  fstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '#testing';
import type { CollectionSchema } from '../read-store.js';
import { releaseOf, returnToRelease } from './former-release.js';
import { SqliteDatabase } from './sqlite-database.js';
import { SqliteReadStore } from './sqlite-read-store.js';
import { UnsyncedMark } from './unsynced-mark.js';

const notes = {
  name: 'notes',
  key: 'integer',
  fields: { channel: 'integer' },
  indexes: [],
} as const satisfies CollectionSchema;
const others = { name: 'others', key: 'integer', fields: {}, indexes: [] } as const satisfies CollectionSchema;
const OLD = [notes, others] as const satisfies CollectionSchema[];
const NEW = [{ ...notes, indexes: [['channel']] }, others] as const satisfies CollectionSchema[];
const never = new AbortController().signal;
const YOUNG_COLLECTIONS = 3;

let path: string;
let kept: string;
let store: SqliteReadStore | undefined;

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'former-release-')), 'read.db');
  kept = `${path}.former-release`;
});
afterEach(async () => {
  await store?.close();
  rmSync(join(path, '..'), { recursive: true });
});

/** A start of a release, which writes the note of that number. @returns what the start did, and what was there */
async function start(schemas: readonly CollectionSchema[], number: number) {
  store = new SqliteReadStore(path, schemas);
  const done = await store.keepFormerRelease(schemas, never);
  for (const schema of schemas) await store.collection(schema);
  const found = await stateOf(store, schemas);
  const doc = { channel: 1, number };
  const at = { checkpoint: `at ${number}`, position: number };
  await store.commit({
    writes: OLD.map(({ name }) => ({ collection: name, key: number, doc })),
    position: number,
    checkpoints: { notes: at, others: at },
  });
  return { done, found };
}

async function stateOf(read: SqliteReadStore, schemas: readonly CollectionSchema[]) {
  const state: Record<string, unknown> = {};
  for (const schema of schemas) {
    const rows = await (await read.collection<{ number: number }>(schema)).find({ limit: 10 });
    state[schema.name] = [rows.map(({ doc }) => doc.number), (await read.checkpoint(schema.name))?.position];
  }
  return state;
}

/** As the end of the process: no statement that is still to be collected as garbage keeps the file open. */
async function stop(): Promise<void> {
  await store?.close();
  store = undefined;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (isMinor: boolean) => void;
  // Young garbage first: all of it takes up to a second in a worker that has run many suites.
  let collections = 0;
  await until(() => {
    if (!existsSync(`${path}-wal`)) return true;
    collect(collections++ < YOUNG_COLLECTIONS);
    return false;
  });
}

const files = (): string[] => readdirSync(join(path, '..')).sort();

test('a release that declares nothing else keeps nothing', async () => {
  expect(await start(OLD, 1)).toMatchObject({ done: 'none', found: { notes: [[], undefined] } });
  await stop();
  expect(await start(OLD, 2)).toMatchObject({ done: 'none', found: { notes: [[1], 1] } });
  expect(existsSync(kept)).toBe(false);
});

test('what a release builds anew is kept as the former one had it; back and forth cost what was recorded since', async () => {
  await start(OLD, 1);
  await stop();
  expect(await start(NEW, 2)).toMatchObject({ done: 'kept', found: { notes: [[], undefined], others: [[1], 1] } });
  await stop();
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  // A start of the same release is no other one.
  expect(await start(NEW, 3)).toMatchObject({ done: 'none', found: { notes: [[2], 2] } });
  await stop();
  expect(await start(OLD, 4)).toMatchObject({ done: 'returned', found: { notes: [[1], 1], others: [[1], 1] } });
  await stop();
  expect(await start(NEW, 5)).toMatchObject({
    done: 'returned',
    found: { notes: [[2, 3], 3], others: [[1, 2, 3], 3] },
  });
  await stop();
  const both = ['read.db', 'read.db.former-release'];
  expect(files()).toEqual(both.flatMap((name) => [name, `${name}.release`]).sort());
});

test('a copy does not meet the write-ahead log of an earlier one', async () => {
  await start(OLD, 1);
  await stop();
  writeFileSync(`${kept}-wal`, 'of an earlier copy');
  expect(await start(NEW, 2)).toMatchObject({ done: 'kept' });
  expect(existsSync(`${kept}-wal`)).toBe(false);
});

test('an earlier copy has made room before the next one is begun', async () => {
  await start(OLD, 1);
  await stop();
  await start(NEW, 2);
  await stop();
  const fs = jest.requireActual<{ statfs: typeof statfs }>('node:fs/promises');
  const found: boolean[] = [];
  const room = jest.spyOn(fs, 'statfs').mockImplementation(async () => {
    found.push(existsSync(kept));
    return { bavail: 1_000_000, bsize: 4_096 } as never;
  });
  try {
    const third = [{ ...notes, fields: { channel: 'integer', other: 'integer' } }, others] as const;
    expect(await start(third, 3)).toMatchObject({ done: 'kept' });
  } finally {
    room.mockRestore();
  }
  expect(found).toEqual([false]);
});

test('a start that is interrupted before it has built anything keeps the same', async () => {
  await start(OLD, 1);
  await stop();
  store = new SqliteReadStore(path, NEW);
  await store.keepFormerRelease(NEW, never);
  await stop();
  const { mtimeMs } = statSync(kept);
  expect(await start(NEW, 2)).toMatchObject({ done: 'none', found: { notes: [[], undefined] } });
  expect(statSync(kept).mtimeMs).toBe(mtimeMs);
  await stop();
  expect(await start(OLD, 3)).toMatchObject({ done: 'returned', found: { notes: [[1], 1] } });
});

describe.each(['before', 'after'])('one that is killed %s it has said whose file it is', (moment) => {
  const killed = (): never => {
    throw new Error('The process is killed.');
  };

  beforeEach(async () => {
    await start(OLD, 1);
    await stop();
    const fs = jest.requireActual<{ writeFileSync: (file: string, text: string) => void }>('node:fs');
    const { writeFileSync: write } = fs;
    store = new SqliteReadStore(path, NEW);
    if (moment === 'after') jest.spyOn(SqliteDatabase.prototype, 'transaction').mockImplementation(killed);
    else
      jest.spyOn(fs, 'writeFileSync').mockImplementation((file, text) => {
        if (file === `${path}.release`) killed();
        write(file, text);
      });
    await expect(store.keepFormerRelease(NEW, never)).rejects.toThrow('killed');
    jest.restoreAllMocks();
    await stop();
  });

  test('costs the former release nothing', async () => {
    expect(await peek(OLD)).toEqual([1]);
  });

  test('costs it nothing either when it has started again', async () => {
    expect(await peek(NEW)).toEqual([]);
    expect(await peek(OLD)).toEqual([1]);
  });
});

test('one that is ended while it copies leaves everything as it was', async () => {
  await start(OLD, 1);
  await stop();
  const ending = new AbortController();
  store = new SqliteReadStore(path, NEW);
  const keeping = store.keepFormerRelease(NEW, ending.signal);
  ending.abort();
  await expect(keeping).rejects.toThrow();
  await stop();
  expect(files()).toEqual(['read.db', 'read.db.release']);
  expect(await start(OLD, 2)).toMatchObject({ done: 'none', found: { notes: [[1], 1] } });
});

test('one that has no room for a copy does not take its own collections for those of the former release', async () => {
  await start(OLD, 1);
  await stop();
  const fs = jest.requireActual<{ statfs: typeof statfs }>('node:fs/promises');
  const full = jest.spyOn(fs, 'statfs').mockResolvedValue({ bavail: 0, bsize: 4_096 } as never);
  try {
    store = new SqliteReadStore(path, NEW);
    await expect(store.keepFormerRelease(NEW, never)).rejects.toThrow('no room');
    await store.collection(NEW[0]);
  } finally {
    full.mockRestore();
  }
  await stop();
  expect(existsSync(kept)).toBe(false);
  expect(await start(OLD, 2)).toMatchObject({ done: 'kept', found: { notes: [[], undefined], others: [[1], 1] } });
  await stop();
  expect(await start(NEW, 3)).toMatchObject({ done: 'returned' });
});

test('what nobody can go back to is not told of as kept', async () => {
  await start(OLD, 1);
  await stop();
  writeFileSync(`${path}.release`, '');
  expect(await start(NEW, 2)).toMatchObject({ done: 'none', found: { notes: [[], undefined], others: [[1], 1] } });
});

test('an exchange that is interrupted after any of its steps loses neither file', async () => {
  await start(OLD, 1);
  await stop();
  await start(NEW, 2);
  await stop();
  const fs = jest.requireActual<{ renameSync: (from: string, to: string) => void }>('node:fs');
  const { renameSync } = fs;
  const renaming = jest.spyOn(fs, 'renameSync');
  /** A start that is killed after so many moves. @returns whether there were no more */
  const isOverAfter = async (moves: number): Promise<boolean> => {
    let left = moves;
    renaming.mockImplementation((from, to) => {
      if (left-- === 0) throw new Error('The process is killed.');
      renameSync(from, to);
    });
    try {
      await new SqliteReadStore(path, OLD).close();
      return true;
    } catch {
      return false;
    } finally {
      renaming.mockImplementation(renameSync);
    }
  };
  let moves = 0;
  for (; !(await isOverAfter(moves)); moves++) {
    // Whichever release starts next finds its own.
    expect(await peek(moves % 2 === 0 ? OLD : NEW)).toEqual(moves % 2 === 0 ? [1] : [2]);
    expect(await peek(NEW)).toEqual([2]);
  }
  renaming.mockRestore();
  expect(moves).toBeGreaterThan(4);
  expect(await peek(OLD)).toEqual([1]);
});

test('what a killed process has not synced is on the disk, also its log, before the files change places', async () => {
  await start(OLD, 1);
  await stop();
  await start(NEW, 2);
  await stop();
  await new UnsyncedMark(path).set();
  writeFileSync(`${path}-wal`, '');
  const steps: string[] = [];
  const fs = jest.requireActual<{
    fsyncSync: (file: number) => void;
    rmSync: (path: string, options?: object) => void;
    renameSync: (from: string, to: string) => void;
  }>('node:fs');
  const { fsyncSync, rmSync: remove, renameSync } = fs;
  const synced = new Map([path, `${path}-wal`, dirname(path)].map((file) => [statSync(file).ino, basename(file)]));
  jest.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
    steps.push(`sync ${synced.get(fstatSync(file).ino)}`);
    fsyncSync(file);
  });
  jest.spyOn(fs, 'rmSync').mockImplementation((file, options) => {
    if (file.endsWith('.unsynced')) steps.push('clear');
    remove(file, options);
  });
  jest.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    steps.push('move');
    renameSync(from, to);
  });
  try {
    expect(returnToRelease(path, releaseOf(OLD))).toBe(true);
  } finally {
    jest.restoreAllMocks();
  }
  expect(steps.slice(0, 5)).toEqual([
    'sync read.db-wal',
    'sync read.db',
    `sync ${basename(dirname(path))}`,
    'clear',
    'move',
  ]);
});

/** The notes that a release finds. */
async function peek(schemas: readonly [CollectionSchema, ...CollectionSchema[]]): Promise<number[]> {
  store = new SqliteReadStore(path, schemas);
  await store.keepFormerRelease(schemas, never);
  const rows = await (await store.collection<{ number: number }>(schemas[0])).find({ limit: 10 });
  await stop();
  return rows.map(({ doc }) => doc.number);
}

test('a kept file of a third release, or one that is damaged, is not used', async () => {
  await start(OLD, 1);
  await stop();
  await start(NEW, 2);
  await stop();
  const third = [
    { ...notes, fields: { channel: 'integer', number: 'integer' } },
    others,
  ] as const satisfies CollectionSchema[];
  expect(await start(third, 3)).toMatchObject({ done: 'kept', found: { notes: [[], undefined] } });
  await stop();
  const bytes = readFileSync(kept);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  writeFileSync(kept, bytes);
  // It is damaged: everything is built again.
  expect(await start(NEW, 4)).toMatchObject({ done: 'none', found: { notes: [[], undefined] } });
  expect(store?.discarded).toBe('damage');
});

test('a file of another layout is kept as it is', async () => {
  await start(OLD, 1);
  await stop();
  const bytes = readFileSync(path);
  // Its `user_version`.
  bytes.writeUInt32BE(77, 60);
  writeFileSync(path, bytes);
  writeFileSync(`${path}.release`, '77-another');
  expect(await start(OLD, 2)).toMatchObject({ done: 'none', found: { notes: [[], undefined] } });
  await stop();
  expect(readFileSync(kept).readUInt32BE(60)).toBe(77);
  expect(readFileSync(`${kept}.release`, 'utf8')).toBe('77-another');
});

test('it is removed when its time is over', async () => {
  await start(OLD, 1);
  await stop();
  await start(NEW, 2);
  utimesSync(kept, 1_000, 1_000);
  expect(store?.dropFormerRelease(999_000)).toBe(false);
  expect(store?.dropFormerRelease(1_001_000)).toBe(true);
  expect(store?.dropFormerRelease(1_001_000)).toBe(false);
  expect(existsSync(kept)).toBe(false);
});

test('what is missing has no indexes until they are built, whoever opens it first', async () => {
  const indexes = async (read: SqliteReadStore): Promise<readonly unknown[]> => {
    await read.close();
    const db = new SqliteDatabase(path, { cacheKib: 64, mappedBytes: 0 });
    const rows = db.rows("SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE 'notes%'", []);
    await db.close();
    return rows.flat();
  };
  store = new SqliteReadStore(path, NEW);
  await store.keepFormerRelease(NEW, never);
  await store.collection(NEW[0]);
  expect(await indexes(store)).toEqual([]);
  store = new SqliteReadStore(path, NEW);
  await store.keepFormerRelease(NEW, never);
  await store.collection(NEW[0]);
  await store.buildIndexes();
  expect(await indexes(store)).toEqual(['notes__1__index1']);
  store = undefined;
});
