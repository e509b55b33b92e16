import type { ReadStore, SideStore } from './read-store.js';
import type { Broadcast, Lease, Leases, Progress } from './sharing.js';
import { SqliteReadStore } from './sqlite/sqlite-read-store.js';
import { SqliteSideStore } from './sqlite/sqlite-side-store.js';

/** Stores in files of this process: nobody else reads or writes them. */
export interface EmbeddedReadStores {
  readonly kind: 'embedded';
  readonly readStore: ReadStore;
  readonly side: SideStore;
  close(): Promise<void>;
}

/** Stores on a server, for any number of processes of which one at a time writes the read models. */
export interface SharedReadStores {
  readonly kind: 'shared';
  readonly side: SideStore;
  readonly leases: Leases;
  readonly progress: Progress;
  readonly broadcast: Broadcast;
  /** For those who only read: a commit or a rebuild is an error. It follows the writer's rebuilds by itself. */
  reading(): ReadStore;
  /**
   * For the one who writes, under the term of a lease that it holds. What an earlier writer left unfinished is finished
   * first, and from then on every earlier writer's commit throws `WriterReplaced`. One at a time; close it before the next.
   * @throws WriterReplaced when a higher term has been seen. @throws ReadStoreUnavailable
   */
  writing(lease: Lease): Promise<ReadStore>;
  /** Ends everything that was opened here. */
  close(): Promise<void>;
}

export type ReadStores = EmbeddedReadStores | SharedReadStores;

/**
 * Opens the read side by its address: `sqlite:PATH`, or a server's `mongodb://…` or `mongodb+srv://…` (the database is the
 * path of the address, `scrollback` when it names none).
 * @throws ReadStoreUnavailable when the server cannot be reached or refuses; the message names the host and the reason, and
 * no credentials. @throws TypeError when the address is none.
 */
export async function openReadStore(url: string): Promise<ReadStores> {
  if (/^mongodb(?:\+srv)?:/.test(url)) {
    // The driver costs an embedded server memory and time to start, so only who needs it loads it.
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
  // A file of its own, so that queues outlive read models that are thrown away.
  const side = new SqliteSideStore(path.replace(/(\.db)?$/, '-side.db'));
  return {
    kind: 'embedded',
    readStore,
    side,
    close: async () => {
      await readStore.close();
      await side.close();
    },
  };
}
