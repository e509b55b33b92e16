import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
