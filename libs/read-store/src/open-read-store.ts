import type { EmbeddedReadStores, ReadStores } from './read-stores.js';
import { SqliteReadStore } from './sqlite/sqlite-read-store.js';
import { SqliteKeyValueStore } from './sqlite/sqlite-side-store.js';

/**
 * Opens the read side by its address: `sqlite:PATH`, or a server's `mongodb://…` or `mongodb+srv://…` (the database is
 * the path of the address, `scrollback` when it names none).
 * @throws ReadStoreUnavailable when the server cannot be reached or refuses; the message names the host and the reason,
 * and no credentials
 * @throws TypeError for an invalid address
 */
export async function openReadStore(url: string): Promise<ReadStores> {
  if (/^mongodb(?:\+srv)?:/.test(url)) {
    // The driver costs an embedded server memory and start-up time, so it is loaded only when needed.
    const { openMongo } = await import('./mongodb/mongo-read-stores.js');
    return openMongo(url);
  }
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path === undefined) {
    throw new TypeError(`A read store's address begins with sqlite: or mongodb:// or mongodb+srv://.`);
  }
  return openSqlite(path);
}

function openSqlite(path: string): EmbeddedReadStores {
  const readStore = new SqliteReadStore(path);
  // A separate file, so that queues survive when the read models are discarded.
  const side = new SqliteKeyValueStore(path.replace(/(\.db)?$/, '-side.db'));
  return {
    kind: 'embedded',
    readStore,
    side,
    isDiscarded: readStore.isDiscarded,
    close: async () => {
      await readStore.close();
      await side.close();
    },
  };
}
