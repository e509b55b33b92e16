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
