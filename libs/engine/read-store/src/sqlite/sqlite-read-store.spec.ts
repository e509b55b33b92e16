import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { until } from '#testing';
import { readStoreContract } from '../read-store.contract.js';
import type { CollectionSchema } from '../read-store.js';
import { SqliteDatabase } from './sqlite-database.js';
import { SqliteReadStore } from './sqlite-read-store.js';
import { SqliteKeyValueStore } from './sqlite-side-store.js';

readStoreContract('SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'read-store-'));
  return {
    open: async () => new SqliteReadStore(join(directory, 'read.db')),
    openSide: async () => {
      const side = new SqliteKeyValueStore(join(directory, 'side.db'));
      return { side, close: () => side.close() };
    },
    destroy: () => rm(directory, { recursive: true }),
  };
});

test('steps with checkpoints of some participants and of all end with the newest of each', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'read-store-'));
  const store = new SqliteReadStore(join(directory, 'read.db'));
  const save = (position: number, ...names: string[]): Promise<void> => {
    const saved = { checkpoint: `at ${position}`, position };
    return store.commit({ writes: [], position, checkpoints: Object.fromEntries(names.map((name) => [name, saved])) });
  };
  await save(1, 'notes', 'topics');
  await save(2, 'notes');
  await save(3, 'notes', 'topics');
  await save(4, 'topics');
  await store.close();
  const again = new SqliteReadStore(join(directory, 'read.db'));
  expect([await again.checkpoint('notes'), await again.checkpoint('topics')]).toMatchObject([
    { position: 3 },
    { position: 4 },
  ]);
  await again.close();
  await rm(directory, { recursive: true });
});

test('a swap that fails leaves the live collection at its position', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'read-store-'));
  const store = new SqliteReadStore(join(directory, 'read.db'));
  const notes: CollectionSchema = { name: 'notes', key: 'integer', fields: {}, indexes: [] };
  await store.collection(notes);
  const save = (position: number, name: string): Promise<void> =>
    store.commit({ writes: [], position, checkpoints: { [name]: { checkpoint: `at ${position}`, position } } });
  await save(5, 'notes');
  const rebuild = await store.startRebuild(notes);
  await save(5, rebuild.shadow);
  const run = jest.spyOn(SqliteDatabase.prototype, 'run').mockImplementation((sql) => {
    if (sql.startsWith('INSERT')) throw new Error('full');
    return 0;
  });
  await expect(store.finishRebuild(notes, rebuild, 1_000)).rejects.toThrow('full');
  run.mockRestore();
  const positionOf = async (name: string): Promise<number | undefined> => (await store.standing()).positions.get(name);
  expect([await positionOf('notes'), await positionOf(rebuild.shadow)]).toEqual([5, 5]);
  await save(6, rebuild.shadow);
  await store.finishRebuild(notes, rebuild, 1_000);
  expect([await positionOf('notes'), await positionOf('notes~former')]).toEqual([6, 5]);
  await store.close();
  await rm(directory, { recursive: true });
});

describe('a collection that is dropped', () => {
  const notes = {
    name: 'notes',
    key: 'integer',
    fields: { channel: 'integer' },
    indexes: [['channel']],
    many: { tags: 'text' },
  } as const satisfies CollectionSchema;
  const COUNT = 2_000;
  let directory: string;
  let store: SqliteReadStore;

  /** A store that has the collection, for another release. */
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'read-store-'));
    store = new SqliteReadStore(join(directory, 'read.db'));
    await store.collection(notes);
    const doc = { channel: 1, tags: ['a'], text: 'x'.repeat(1_000) };
    const writes = Array.from({ length: COUNT }, (_, key) => ({ collection: 'notes', key, doc }));
    await store.commit({ writes, position: 1 });
    await store.close();
    store = new SqliteReadStore(join(directory, 'read.db'));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await store.close();
    await rm(directory, { recursive: true });
  });

  /** Documents of the table in the file; undefined when there is none. */
  function left(table: string): number | undefined {
    const db = new Database(join(directory, 'read.db'));
    try {
      const [found] = db.prepare('SELECT count(*) FROM sqlite_schema WHERE name = ?').raw().all([table]) as [[number]];
      if (found[0] === 0) return undefined;
      const [count] = db.prepare(`SELECT count(*) FROM "${table}"`).raw().all() as [[number]];
      return count[0];
    } finally {
      db.close();
    }
  }

  test('is emptied before its table is dropped, while others go on', async () => {
    const exec = jest.spyOn(SqliteDatabase.prototype, 'exec');
    const dropped = (): boolean => exec.mock.calls.some(([sql]) => sql.includes('DROP TABLE IF EXISTS "notes__1"'));
    const run = jest.spyOn(SqliteDatabase.prototype, 'run');
    await store.dropLeftOver('notes');
    expect([dropped(), await store.leftOvers(new Set())]).toEqual([false, []]);
    // The same name is used anew meanwhile.
    const again = await store.collection(notes);
    await store.commit({ writes: [{ collection: 'notes', key: 1, doc: { channel: 2 } }], position: 2 });
    expect([dropped(), await again.count(undefined, 10)]).toEqual([false, 1]);
    await until(dropped);
    const removed = run.mock.results
      .filter((_, at) => run.mock.calls[at]?.[0].startsWith('DELETE FROM "notes__1"'))
      .map(({ value }) => Number(value));
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(COUNT);
    expect(Math.max(...removed)).toBeLessThan(COUNT / 10);
    await store.close();
    expect([left('notes__1'), left('notes__1__tags'), left('notes__2')]).toEqual([undefined, undefined, 1]);
  });

  test('and is not gone when the store is closed is dropped by the next start', async () => {
    await store.dropLeftOver('notes');
    await store.close();
    expect(left('notes__1')).toBe(COUNT);
    store = new SqliteReadStore(join(directory, 'read.db'));
    await store.close();
    expect([left('notes__1'), left('notes__1__tags')]).toEqual([undefined, undefined]);
  });
});
