import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder, Mutex, withRoom } from '#kernel';
import { BlobStoreUnavailable, HEAD_BYTES, type StagedBlob } from './blob-store.js';

/** Longer than any upload takes: the HTTP layer ends a request much sooner. */
export const ABANDONED_AFTER_MS = 60 * 60 * 1_000;

/**
 * Files are synced a little at a time. A sync of a whole file would keep the disk from the syncs of the log
 * for as long, and so delay each send meanwhile.
 */
const SYNC_EVERY_BYTES = 1024 * 1024;

/** Content is hashed and written in pieces of at least this size, since each write wakes a thread. Chunks as long are pieces. */
const PIECE_BYTES = 128 * 1024;

/** A complete temporary file. */
export interface StagedFile {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  /** As in `StagedBlob`. */
  readonly head: Buffer;
}

/** Writes content into temporary files. */
export class Staging {
  /** Pieces of files are taken one after another, so that many uploads do not fill the event loop between two other requests. */
  readonly #turns = new Mutex();
  /** Prefix of the names of this process's temporary files. */
  readonly #own = `${randomUUID()}-`;

  /** @param isSynced whether a complete file must survive a power failure: it becomes the content itself */
  constructor(
    readonly folder: string,
    private readonly isSynced: boolean,
  ) {}

  /** A path of a temporary file that is not there yet. */
  freshPath(): string {
    return join(this.folder, `${this.#own}${randomUUID()}`);
  }

  /**
   * Writes content into a temporary file. Fails with the error of `content` as it is; errors of the disk are
   * `BlobStoreUnavailable`.
   * @param keep stores the file, and tells whether it has moved it away
   */
  async stage(content: AsyncIterable<Uint8Array>, keep: (file: StagedFile) => Promise<boolean>): Promise<StagedBlob> {
    const file = await this.#write(content);
    const { path, hash, size } = file;
    let isGone = false;
    const remove = async (): Promise<void> => {
      if (!isGone) await removeFile(path);
      isGone = true;
    };
    return {
      ...file,
      keep: async () => {
        try {
          isGone = await keep(file);
        } finally {
          await remove();
        }
        return { hash, size };
      },
      discard: () => onDisk(remove),
    };
  }

  async #write(content: AsyncIterable<Uint8Array>): Promise<StagedFile> {
    const path = this.freshPath();
    const file = await onDisk(() => this.#create(path));
    try {
      const hash = createHash('sha256');
      let head = Buffer.alloc(0);
      let size = 0;
      let unsynced = 0;
      for await (const piece of inPieces(content)) {
        await this.#turns.run(async () => {
          hash.update(piece);
          // Every piece but the last one is longer than a head.
          if (size === 0) head = Buffer.from(piece.subarray(0, HEAD_BYTES));
          size += piece.length;
          await onDisk(() => writeAll(file, piece));
          unsynced += piece.length;
          if (!this.isSynced || unsynced < SYNC_EVERY_BYTES) return;
          unsynced = 0;
          await onDisk(() => file.datasync());
        });
      }
      if (this.isSynced) await this.#turns.run(() => onDisk(() => file.sync()));
      await file.close();
      return { path, hash: hash.digest('hex'), size, head };
    } catch (error) {
      await file.close().catch(() => undefined);
      await removeFile(path);
      throw error;
    }
  }

  async #create(path: string): Promise<FileHandle> {
    const create = (): Promise<FileHandle> =>
      open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
    const file = await create().catch(unlessMissing);
    if (file !== undefined) return file;
    await createFolder(this.folder);
    return create();
  }

  /**
   * Removes temporary files that are abandoned: those of ended processes, and those that are older than any upload.
   * @param isOnlyUser whether no other process uses the folder: then all files that are not of this one are of ended ones
   */
  async cleanUp(isOnlyUser: boolean): Promise<void> {
    const abandonedBeforeMs = Date.now() - ABANDONED_AFTER_MS;
    for (const name of await entriesOf(this.folder)) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(unlessMissing);
      if (found === undefined) continue;
      const isOfEndedProcess = isOnlyUser && !name.startsWith(this.#own);
      if (isOfEndedProcess || found.mtimeMs < abandonedBeforeMs) await removeFile(path);
    }
  }
}

/** Joins short chunks into pieces; each is valid until the next one is asked for. */
async function* inPieces(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let piece = Buffer.alloc(0);
  let filled = 0;
  for await (const chunk of content) {
    if (filled === 0 && chunk.length >= PIECE_BYTES) {
      yield chunk;
      continue;
    }
    piece = withRoom(piece, filled, Math.min(filled + chunk.length, PIECE_BYTES), PIECE_BYTES);
    for (let taken = 0; taken < chunk.length;) {
      const end = Math.min(chunk.length, taken + PIECE_BYTES - filled);
      piece.set(chunk.subarray(taken, end), filled);
      filled += end - taken;
      taken = end;
      if (filled < PIECE_BYTES) continue;
      yield piece;
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

/** `FileHandle.write` may write less than it is given. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, written, chunk.length - written);
    written += bytesWritten;
  }
}

/** Names in a folder; none when it is missing. */
export async function entriesOf(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(unlessMissing)) ?? [];
}

async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(unlessMissing);
}

/** Turns a missing file into `undefined`; fails with any other error. */
export function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Turns errors of the file system into `BlobStoreUnavailable`. */
export async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'syscall' in error)
      throw new BlobStoreUnavailable('The storage of files cannot be used.', { cause: error });
    throw error;
  }
}
