import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStoreContract } from '../read-store.contract.js';
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
