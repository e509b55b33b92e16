import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '#blob-store';
import type { EventRegistry, EventStore } from '#event-store';
import { createFolder } from '#kernel';
import { archivedProjections, ArchivedMessages } from '#reading';
import type { Directory } from '#people';
import { type CollectionSchema, type Follower, ProjectionEngine, SqliteReadStore } from '#read-store';
import type { ArchiveSource } from './make-archive.js';

/** Name of the folder with the read models. */
const FOLDER = 'read-models';

/** Folds the directory from the log. */
class DirectoryFollower implements Follower {
  readonly name = 'directory';
  readonly collection: CollectionSchema = { name: 'directory', key: 'text', fields: {}, indexes: [] };

  constructor(private readonly directory: Directory) {}

  follow(event: Parameters<Directory['apply']>[0]): readonly [] {
    this.directory.apply(event);
    return [];
  }

  committed(): void {
    // The directory is not kept.
  }
}

/**
 * Everything that a log holds, for an archive of everything: the read models that it needs are built from the log in a folder of
 * their own, so neither a server nor its read models are needed.
 * @param folder exists; the read models are removed at the end
 */
export async function withWholeSource<Result>(
  log: EventStore,
  server: { readonly registry: EventRegistry; newDirectory(): Directory },
  blobs: BlobStore | undefined,
  folder: string,
  work: (source: ArchiveSource) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, FOLDER);
  await rm(path, { recursive: true, force: true });
  await createFolder(path);
  const store = new SqliteReadStore(join(path, 'read-models.db'));
  const directory = server.newDirectory();
  const engine = new ProjectionEngine(log, store, archivedProjections, [new DirectoryFollower(directory)]);
  try {
    await engine.start();
    // What is recorded from now on is not in the archive.
    await engine.stop();
    const messages = await ArchivedMessages.open(directory, store);
    const through = directory.position;
    return await work({
      directory,
      messages,
      log: { store: log, registry: server.registry, through },
      ...(blobs && { blobs }),
    });
  } finally {
    await engine.stop();
    await store.close();
    await rm(path, { recursive: true, force: true });
  }
}
