import type { BlobStore } from '#blob-store';
import type { EventRegistry, EventStore } from '#event-store';
import type { UploadSettings } from '#files';
import type { Directory } from '#people';

/** The server that an archive is imported into. It is stopped. */
export interface ImportTarget {
  readonly events: EventStore;
  readonly blobs: BlobStore;
  readonly uploads: UploadSettings;
  readonly registry: EventRegistry;
  /** A new directory, with the parts of the server's features. */
  readonly newDirectory: () => Directory;
  /** Appends that may be under way: more than one only in a store that keeps their order. */
  readonly inFlightMax: number;
  readonly signal: AbortSignal;
  /** @param total 0 when unknown */
  readonly onProgress: (what: string, done: number, total: number) => void;
  /** Lets an owner log in: the last step. */
  giveOwnerAccess(directory: Directory): Promise<void>;
}
