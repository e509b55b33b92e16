import type { CollectionSchema, ReadStore, ReadStoreDamaged, KeyValueStore } from './read-store.js';
import type { FormerRelease } from './sqlite/former-release.js';
import type { Broadcast, Lease, Leases, Progress } from './sharing.js';

/** Read models in files, which nobody else verifies. */
export interface VerifiableFiles {
  /** Called with each damage that is met. */
  onDamage: (damage: ReadStoreDamaged) => void;
  /** Verifies structure and contents, in the background after `quickMs`. @throws ReadStoreDamaged */
  verify(quickMs: number, signal: AbortSignal): Promise<void>;
  /** Makes the next start begin anew, with the snapshot if there is one. */
  markDamaged(): void;
  /** Bytes of the read models. */
  readonly bytes: number;
  /** When the snapshot was made, in milliseconds since the epoch; undefined when there is none. */
  readonly snapshotTakenAtMs: number | undefined;
  /**
   * Copies the read models as they are at one moment, in the background, for a start that finds them damaged or missing. One
   * snapshot is kept.
   * @throws NoRoomForSnapshot
   */
  takeSnapshot(signal: AbortSignal): Promise<void>;
  /**
   * Prepares the read models, of which nothing is opened yet, for a release that declares these collections: keeps those of another
   * release beside them when some are to be built anew.
   * @throws NoRoomForSnapshot, after which they can be used
   */
  keepFormerRelease(schemas: readonly CollectionSchema[], signal: AbortSignal): Promise<FormerRelease>;
  /** Removes what was kept of another release before that time, in ms since the epoch. @returns whether there was something */
  dropFormerRelease(beforeMs: number): boolean;
}

/** Stores in files that only this process reads and writes. */
export interface EmbeddedReadStores {
  readonly kind: 'embedded';
  readonly readStore: ReadStore;
  readonly side: KeyValueStore;
  /** Why the read models start empty, when that is unusual: a crash of the machine may have damaged them, or they were damaged. */
  readonly discarded: 'crash' | 'damage' | undefined;
  /** When the snapshot was made with which the read models began, in ms since the epoch; undefined when they did not. */
  readonly fromSnapshotMs: number | undefined;
  /** The read models, as files that may be damaged. */
  readonly files: VerifiableFiles;
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
