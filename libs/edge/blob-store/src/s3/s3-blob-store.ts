import { randomUUID } from 'node:crypto';
import { BoundedMap } from '#kernel';
import {
  assertSpaceName,
  type BlobInfo,
  BlobSpace,
  BlobStore,
  type ByteRange,
  isHash,
  type OpenBlob,
  type StagedBlob,
} from '../blob-store.js';
import { onDisk, type StagedFile, Staging } from '../staging.js';
import type { S3Address } from './s3-address.js';
import { S3_LIMITS, S3Calls, type S3Limits } from './s3-calls.js';
import { type S3Object, S3Objects } from './s3-objects.js';
import { S3Uploads } from './s3-uploads.js';

/** For calls: a few more than there are transfers at a time. */
const CONNECTIONS_MAX = 32;
/** For content, of which each connection is occupied for as long as a client takes. */
const READS_MAX = 512;
/** Content is found again unless it is stored again between two of them, each time. */
const OPEN_ATTEMPTS_MAX = 4;
/** Keys of objects that are remembered: some two megabytes. */
const KEYS_MAX = 10_000;

/** Space at the beginning of a key, after the prefix. */
const SPACE_NAME = /^[a-z]+\//;
/** Rest of a key after its space: two digits of the hash, the hash, and an ID. */
const OBJECT_NAME = /^[0-9a-f]{2}\/([0-9a-f]{64})-[0-9a-f-]{36}$/;

export interface S3BlobStoreOptions {
  /** Whether no other process uses the prefix in the bucket. */
  readonly isOnlyUser: boolean;
  /** Local folder for content that is not complete yet. */
  readonly stagingFolder: string;
  readonly limits?: S3Limits;
}

/**
 * Objects in a bucket, `<prefix><space>/<first two digits>/<hash>-<id>`, with an ID of its own for each time that content is
 * stored. A removal deletes the objects that it has seen to be old, so it cannot meet one that is stored meanwhile: S3 has no
 * rename, and no condition on the age of what is deleted. An object appears when it is complete.
 */
export class S3BlobStore extends BlobStore {
  readonly #prefix: string;
  readonly #objects: S3Objects;
  readonly #uploads: S3Uploads;
  readonly #staging: Staging;
  readonly #isOnlyUser: boolean;
  readonly #spaces = new Map<string, BlobSpace>();

  /** @throws errors of the file system when the certificates to trust cannot be read */
  constructor(address: S3Address, { isOnlyUser, stagingFolder, limits = S3_LIMITS }: S3BlobStoreOptions) {
    super();
    const calls = new S3Calls(address, limits, CONNECTIONS_MAX);
    this.#prefix = address.prefix;
    this.#objects = new S3Objects(calls, new S3Calls(address, limits, READS_MAX));
    this.#uploads = new S3Uploads(calls);
    // Syncing would hold up the log on the same disk; what a power failure leaves is removed at the start.
    this.#staging = new Staging(stagingFolder, false);
    this.#isOnlyUser = isOnlyUser;
  }

  space(name: string): BlobSpace {
    assertSpaceName(name);
    const known = this.#spaces.get(name);
    if (known !== undefined) return known;
    const space = new S3BlobSpace(`${this.#prefix}${name}/`, this.#objects, this.#uploads, this.#staging);
    this.#spaces.set(name, space);
    return space;
  }

  async cleanUp(): Promise<void> {
    await onDisk(() => this.#staging.cleanUp(this.#isOnlyUser));
    const isOurs = (key: string): boolean => OBJECT_NAME.test(key.slice(this.#prefix.length).replace(SPACE_NAME, ''));
    await this.#uploads.cleanUp(this.#prefix, isOurs, this.#isOnlyUser);
  }
}

class S3BlobSpace extends BlobSpace {
  /** Keys of content that was read or stored, which saves asking for them. */
  readonly #keys = new BoundedMap<string, string>(KEYS_MAX);

  /** @param prefix of all keys of the space */
  constructor(
    private readonly prefix: string,
    private readonly objects: S3Objects,
    private readonly uploads: S3Uploads,
    private readonly staging: Staging,
  ) {
    super();
  }

  stage(content: AsyncIterable<Uint8Array>): Promise<StagedBlob> {
    return this.staging.stage(content, async (file) => {
      await this.#keep(file);
      return false;
    });
  }

  async #keep(file: StagedFile): Promise<void> {
    const { hash } = file;
    await this.uploads.send(file, `${this.#prefixOf(hash)}${randomUUID()}`);
    const copies = await this.#copiesOf(hash);
    const newest = newestOf(copies);
    // Others that store the same content at this moment keep the same one.
    for (const { key } of copies) if (key !== newest?.key) await this.objects.remove(key);
    if (newest !== undefined) this.#keys.set(hash, newest.key);
  }

  async open(hash: string, range?: ByteRange): Promise<OpenBlob | undefined> {
    if (!isHash(hash)) return undefined;
    let key = this.#keys.get(hash);
    for (let attempt = 1; attempt <= OPEN_ATTEMPTS_MAX; attempt++) {
      key ??= newestOf(await this.#copiesOf(hash))?.key;
      if (key === undefined) return undefined;
      const opened = await this.objects.open(key, range);
      if (opened !== undefined) {
        this.#keys.set(hash, key);
        return { ...opened, hash };
      }
      // It was removed, or the content was stored again under another key.
      key = undefined;
    }
    return undefined;
  }

  async stat(hash: string): Promise<BlobInfo | undefined> {
    const newest = isHash(hash) ? newestOf(await this.#copiesOf(hash)) : undefined;
    return newest && infoOf(hash, newest);
  }

  async remove(hash: string, storedBeforeMs: number): Promise<boolean> {
    const copies = isHash(hash) ? await this.#copiesOf(hash) : [];
    const newest = newestOf(copies);
    if (newest === undefined || newest.storedAtMs >= storedBeforeMs) return false;
    for (const { key } of copies) await this.objects.remove(key);
    return true;
  }

  async *list(): AsyncIterable<BlobInfo> {
    let current: { readonly hash: string; readonly newest: S3Object } | undefined;
    // Objects of the same content follow one another.
    for await (const object of this.objects.list(this.prefix)) {
      const hash = this.#hashIn(object.key);
      if (hash === undefined) continue;
      if (current !== undefined && current.hash !== hash) yield infoOf(current.hash, current.newest);
      const earlier = current?.hash === hash ? [current.newest] : [];
      current = { hash, newest: newestOf([...earlier, object]) ?? object };
    }
    if (current !== undefined) yield infoOf(current.hash, current.newest);
  }

  /** All objects with this content: one, but for a moment, or after a process ended in between. */
  async #copiesOf(hash: string): Promise<readonly S3Object[]> {
    const copies: S3Object[] = [];
    for await (const object of this.objects.list(this.#prefixOf(hash))) copies.push(object);
    return copies;
  }

  #prefixOf(hash: string): string {
    return `${this.prefix}${hash.slice(0, 2)}/${hash}-`;
  }

  /** @returns undefined for a key of somebody else */
  #hashIn(key: string): string | undefined {
    return OBJECT_NAME.exec(key.slice(this.prefix.length))?.[1];
  }
}

/** The last of them to be stored; of several within a second, the resolution of the server's times, always the same one. */
function newestOf(objects: readonly S3Object[]): S3Object | undefined {
  return objects.reduce<S3Object | undefined>(
    (newest, object) =>
      newest === undefined ||
      object.storedAtMs > newest.storedAtMs ||
      (object.storedAtMs === newest.storedAtMs && object.key > newest.key)
        ? object
        : newest,
    undefined,
  );
}

function infoOf(hash: string, { size, storedAtMs }: S3Object): BlobInfo {
  return { hash, size, storedAtMs };
}
