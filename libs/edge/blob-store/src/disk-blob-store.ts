import { createReadStream } from 'node:fs';
import { open, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFolderDurably, syncFolder } from '#kernel';
import {
  assertSpaceName,
  type BlobInfo,
  BlobSpace,
  BlobStore,
  type ByteRange,
  isHash,
  type OpenBlob,
  type StagedBlob,
} from './blob-store.js';
import { entriesOf, onDisk, type StagedFile, Staging, unlessMissing } from './staging.js';

/** A file that has its name for so long has it for good, also after a power failure: file systems write by then what nobody syncs. */
const SYNCED_WITHIN_MS = 60_000;

/** Folder of temporary files. No space can have its name. */
const INCOMING = '.incoming';

/**
 * Files in a folder, `<space>/<first two digits>/<hash>`. Several processes may share the folder. A file appears under its
 * hash by a rename after it is synced, so it is complete or absent, also after a power failure.
 */
export class DiskBlobStore extends BlobStore {
  readonly #staging: Staging;

  /** @param isOnlyUser whether no other process uses the folder */
  constructor(
    private readonly folder: string,
    private readonly isOnlyUser: boolean,
  ) {
    super();
    this.#staging = new Staging(join(folder, INCOMING), true);
  }

  space(name: string): BlobSpace {
    assertSpaceName(name);
    return new DiskBlobSpace(join(this.folder, name), this.#staging);
  }

  async cleanUp(): Promise<void> {
    await onDisk(() => this.#staging.cleanUp(this.isOnlyUser));
  }
}

class DiskBlobSpace extends BlobSpace {
  constructor(
    private readonly folder: string,
    private readonly staging: Staging,
  ) {
    super();
  }

  stage(content: AsyncIterable<Uint8Array>): Promise<StagedBlob> {
    return this.staging.stage(content, (file) => onDisk(() => this.#adopt(file)));
  }

  /** @returns whether the file was moved: otherwise the content was there */
  async #adopt({ path, hash, size }: StagedFile): Promise<boolean> {
    const target = this.#pathOf(hash);
    const known = await this.#statOf(hash);
    if (known?.size === size) {
      // Protects the content from a removal that is decided at the same time.
      const now = new Date();
      const isThere = await utimes(target, now, now).then(() => true, unlessMissing);
      if (isThere === true) {
        // Whoever stored it may not have come so far.
        if (now.getTime() - known.storedAtMs < SYNCED_WITHIN_MS) await syncFolder(dirname(target));
        return false;
      }
    }
    const move = (): Promise<true> => rename(path, target).then(() => true);
    if ((await move().catch(unlessMissing)) === undefined) {
      await createFolderDurably(dirname(target));
      await move();
    }
    await syncFolder(dirname(target));
    return true;
  }

  async open(hash: string, range?: ByteRange): Promise<OpenBlob | undefined> {
    if (!isHash(hash)) return undefined;
    return onDisk(async () => {
      const file = await open(this.#pathOf(hash)).catch(unlessMissing);
      if (file === undefined) return undefined;
      try {
        const { size, mtimeMs } = await file.stat();
        return { hash, size, storedAtMs: mtimeMs, content: createReadStream('', { fd: file, ...range }) };
      } catch (error) {
        await file.close();
        throw error;
      }
    });
  }

  stat(hash: string): Promise<BlobInfo | undefined> {
    return onDisk(() => this.#statOf(hash));
  }

  async #statOf(hash: string): Promise<BlobInfo | undefined> {
    const found = isHash(hash) ? await stat(this.#pathOf(hash)).catch(unlessMissing) : undefined;
    return found && { hash, size: found.size, storedAtMs: found.mtimeMs };
  }

  /**
   * The file is taken away under another name before its age is looked at again: a `put` in between has either renewed
   * it, and it is put back, or stores its own.
   */
  remove(hash: string, storedBeforeMs: number): Promise<boolean> {
    return onDisk(async () => {
      const found = await this.#statOf(hash);
      if (found === undefined || found.storedAtMs >= storedBeforeMs) return false;
      const taken = this.staging.freshPath();
      await createFolderDurably(this.staging.folder);
      const isTaken = await rename(this.#pathOf(hash), taken).then(() => true, unlessMissing);
      if (isTaken !== true) return false;
      const isRenewed = (await stat(taken)).mtimeMs >= storedBeforeMs;
      await (isRenewed ? rename(taken, this.#pathOf(hash)) : rm(taken));
      return !isRenewed;
    });
  }

  async *list(): AsyncIterable<BlobInfo> {
    for (const part of await onDisk(() => entriesOf(this.folder)))
      for (const hash of await onDisk(() => entriesOf(join(this.folder, part)))) {
        const found = await this.stat(hash);
        if (found !== undefined) yield found;
      }
  }

  #pathOf(hash: string): string {
    return join(this.folder, hash.slice(0, 2), hash);
  }
}
