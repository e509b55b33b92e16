import type { Readable } from 'node:stream';

/**
 * Port for the content of files: immutable, addressed by the SHA-256 of its bytes, one copy per content and space. The
 * log names content by its hash; this store keeps the bytes.
 *
 * A handler stores the content first and records the event that names its hash afterwards:
 *
 *     const { hash, size } = await this.avatars.put(content); // `this.avatars = blobs.space('avatars')`
 *     await this.commands.run(…); // an event with `hash`
 *
 * Content that no event names after a crash in between is removed by its owner later (`BlobSpace.remove`).
 */
export abstract class BlobStore {
  /**
   * Content of one kind, such as `avatars`; lower-case letters. The feature that names a space owns it, and removes what
   * is not referenced any more.
   */
  abstract space(name: string): BlobSpace;

  /** Removes what interrupted uploads have left behind. Called at the start and now and then. */
  abstract cleanUp(): Promise<void>;
}

/** All methods fail with `BlobStoreUnavailable`. */
export abstract class BlobSpace {
  /**
   * Writes content to a local temporary file without keeping it, so that it can be inspected or replaced first. Never
   * holds more than a chunk in memory. A failure of `content` is passed on, and leaves nothing behind. The caller must
   * `keep` or `discard` the result.
   */
  abstract stage(content: AsyncIterable<Uint8Array>): Promise<StagedBlob>;

  /** Stores content; durable when resolved. */
  async put(content: AsyncIterable<Uint8Array> | Uint8Array): Promise<BlobRef> {
    const staged = await this.stage(content instanceof Uint8Array ? chunks(content) : content);
    return staged.keep();
  }

  /**
   * Opens content for reading, all of it or a range of bytes, `end` included. The caller reads `content` to its end or
   * destroys it.
   * @returns undefined for unknown content
   */
  abstract open(hash: string, range?: ByteRange): Promise<OpenBlob | undefined>;

  /** @returns undefined for unknown content */
  abstract stat(hash: string): Promise<BlobInfo | undefined>;

  /**
   * Removes content that was last stored before `storedBeforeMs`. Younger content stays, since the event that names it may
   * not be recorded yet. A `put` of the same content at the same time wins.
   * @returns whether it was removed
   */
  abstract remove(hash: string, storedBeforeMs: number): Promise<boolean>;

  /** All content of the space, in no particular order. */
  abstract list(): AsyncIterable<BlobInfo>;
}

export interface BlobRef {
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
}

export interface BlobInfo extends BlobRef {
  /** When the content was last stored, in milliseconds since the epoch. */
  readonly storedAtMs: number;
}

export interface ByteRange {
  readonly start: number;
  /** Included. */
  readonly end: number;
}

export interface OpenBlob extends BlobInfo {
  readonly content: Readable;
}

/** Bytes at the beginning of staged content that are at hand. */
export const HEAD_BYTES = 4_096;

/** Content in a temporary file, before it is kept. */
export interface StagedBlob extends BlobRef {
  /** The first `HEAD_BYTES`, or all of shorter content. */
  readonly head: Buffer;
  /** Path of the temporary file on this machine; valid until `keep` or `discard`. */
  readonly path: string;
  /** Stores the content; durable when resolved. Removes the temporary file, also when it fails. */
  keep(): Promise<BlobRef>;
  /** Removes the temporary file. */
  discard(): Promise<void>;
}

/** The store cannot be read or written: the disk is full, or the service does not answer. */
export class BlobStoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BlobStoreUnavailable';
  }
}

const HASH = /^[0-9a-f]{64}$/;

/** Whether the text is a hash as `BlobRef` has it: anything else is unknown content, and never a path. */
export function isHash(text: string): boolean {
  return HASH.test(text);
}

/** @throws TypeError for a name that is no part of a path or key */
export function assertSpaceName(name: string): void {
  if (!/^[a-z]{1,30}$/.test(name)) throw new TypeError(`Not the name of a space: ${name}`);
}

async function* chunks(content: Uint8Array): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield content;
}
