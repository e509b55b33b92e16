import { dirname } from 'node:path';
import { WriterLock } from '#event-store';
import { createFolderSync } from '#kernel';
import type { CollectionSchema } from './read-store.js';
import type { EmbeddedReadStores, ReadStores } from './read-stores.js';
import { SqliteReadStore } from './sqlite/sqlite-read-store.js';
import { SqliteKeyValueStore } from './sqlite/sqlite-side-store.js';

const SERVER = /^mongodb(?:\+srv)?:/;
const FILE = /^sqlite:(?:\/\/)?(.+)$/;

/** Why the text is no address of a read store; the rest of a server's address is checked when it is opened. */
export function readStoreComplaint(url: string): string | undefined {
  if (SERVER.test(url) || FILE.test(url)) return undefined;
  return "A read store's address begins with sqlite:PATH or mongodb:// or mongodb+srv://.";
}

/**
 * Opens the read side by its address: `sqlite:PATH`, or a server's `mongodb://…` or `mongodb+srv://…` (the database is
 * the path of the address, `scrollback` when it names none).
 * @param schemas what the release declares: files go on from what was kept of it, when another one was at work meanwhile
 * @throws ReadStoreUnavailable when the server cannot be reached or refuses; the message names the host and the reason,
 * and no credentials
 * @throws EventStoreUnavailable when another process uses the file
 * @throws TypeError for an invalid address
 */
export async function openReadStore(url: string, schemas?: readonly CollectionSchema[]): Promise<ReadStores> {
  if (SERVER.test(url)) {
    // The driver costs an embedded server memory and start-up time, so it is loaded only when needed.
    const { openMongo } = await import('./mongodb/mongo-read-stores.js');
    return openMongo(url);
  }
  const path = FILE.exec(url)?.[1];
  if (path === undefined) throw new TypeError(readStoreComplaint(url));
  return openSqlite(path, schemas);
}

function openSqlite(path: string, schemas?: readonly CollectionSchema[]): EmbeddedReadStores {
  createFolderSync(dirname(path));
  // The lock of a log in a file does not help where the log is on a server: two processes would exchange the files of a release, and write
  // over each other.
  const lock = WriterLock.take(path);
  const readStore = orRelease(lock, () => new SqliteReadStore(path, schemas));
  // A separate file, so that queues survive when the read models are discarded.
  const side = orRelease(lock, () => new SqliteKeyValueStore(path.replace(/(\.db)?$/, '-side.db')));
  return {
    kind: 'embedded',
    readStore,
    side,
    files: readStore,
    discarded: readStore.discarded,
    fromSnapshotMs: readStore.fromSnapshotMs,
    close: async () => {
      await readStore.close();
      await side.close();
      lock.release();
    },
  };
}

function orRelease<Store>(lock: WriterLock, open: () => Store): Store {
  try {
    return open();
  } catch (error) {
    lock.release();
    throw error;
  }
}
