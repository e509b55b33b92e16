import type { ReadStore, KeyValueStore } from './read-store.js';
import type { Broadcast, Lease, Leases, Progress } from './sharing.js';

/** Stores in files that only this process reads and writes. */
export interface EmbeddedReadStores {
  readonly kind: 'embedded';
  readonly readStore: ReadStore;
  readonly side: KeyValueStore;
  /** The read models start empty, since a crash of the machine may have damaged them. */
  readonly isDiscarded: boolean;
  close(): Promise<void>;
}

/** Stores on a server, for any number of processes of which one at a time writes the read models. */
export interface SharedReadStores {
  readonly kind: 'shared';
  readonly side: KeyValueStore;
  readonly leases: Leases;
  readonly progress: Progress;
  readonly broadcast: Broadcast;
  /** Opens the store for reading: a commit or a rebuild is an error. It follows the writer's rebuilds by itself. */
  reading(): ReadStore;
  /**
   * Opens the store for writing, under the term of a held lease. Finishes what an earlier writer left unfinished; from
   * then on every earlier writer's commit throws `WriterReplaced`. One at a time; close it before the next.
   * @throws WriterReplaced when a higher term has been seen
   * @throws ReadStoreUnavailable
   */
  writing(lease: Lease): Promise<ReadStore>;
  /** Closes everything that was opened here. */
  close(): Promise<void>;
}

export type ReadStores = EmbeddedReadStores | SharedReadStores;
