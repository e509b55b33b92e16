import type { ReadStore, SideStore } from './read-store.js';
import type { Broadcast, Lease, Leases, Progress } from './sharing.js';

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
