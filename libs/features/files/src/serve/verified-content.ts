import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BlobSpace, ByteRange } from '#blob-store';
import { BoundedMap } from '#kernel';

/** Content whose verification is remembered. */
const VERIFIED_MAX = 10_000;
/** After this time content is verified again: disks change in silence. */
const VERIFIED_FOR_MS = 60 * 60_000;
/** For this time damaged content is neither read nor told again, however often it is asked for. */
const DAMAGED_FOR_MS = 10_000;

/** Tells the operator of content that is missing or damaged. */
export class FileReports {
  constructor(readonly damaged: (hash: string, reason: string) => void) {}
}

/**
 * Opens content that is as it was stored: its length and its hash are verified before the first byte is sent, once an hour. So a
 * client never gets other bytes, and never waits for bytes that are missing.
 */
export class VerifiedContent {
  /** Until when, by the monotonic clock. */
  readonly #verified = new BoundedMap<string, number>(VERIFIED_MAX);
  readonly #damaged = new BoundedMap<string, number>(VERIFIED_MAX);
  /** In progress, by hash and size: those who ask at the same time share it. */
  readonly #verifying = new Map<string, Promise<boolean>>();

  constructor(
    private readonly space: BlobSpace,
    private readonly reports: FileReports,
  ) {}

  /** @returns undefined for content that is missing or damaged */
  async open(hash: string, size: number, range: ByteRange | undefined): Promise<Readable | undefined> {
    if (!(await this.#isSound(hash, size))) return undefined;
    const opened = await this.space.open(hash, range);
    if (opened?.size === size) return opened.content;
    opened?.content.destroy();
    this.#isDamaged(hash, opened === undefined ? 'missing' : 'of another length');
    return undefined;
  }

  #isSound(hash: string, size: number): Promise<boolean> {
    const nowMs = performance.now();
    if ((this.#verified.get(hash) ?? -Infinity) > nowMs) return Promise.resolve(true);
    if ((this.#damaged.get(hash) ?? -Infinity) > nowMs) return Promise.resolve(false);
    const key = `${hash} ${size}`;
    let verifying = this.#verifying.get(key);
    if (verifying === undefined) {
      verifying = this.#verify(hash, size).finally(() => this.#verifying.delete(key));
      this.#verifying.set(key, verifying);
    }
    return verifying;
  }

  async #verify(hash: string, size: number): Promise<boolean> {
    const opened = await this.space.open(hash);
    if (opened?.size !== size) {
      opened?.content.destroy();
      return this.#isDamaged(hash, opened === undefined ? 'missing' : 'of another length');
    }
    const found = createHash('sha256');
    try {
      for await (const chunk of opened.content as AsyncIterable<Uint8Array>) found.update(chunk);
    } catch (error) {
      // A disk that cannot read it; a service that cannot be reached has an error of its own.
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      return this.#isDamaged(hash, 'not readable');
    }
    if (found.digest('hex') !== hash) return this.#isDamaged(hash, 'not what was stored');
    this.#verified.set(hash, performance.now() + VERIFIED_FOR_MS);
    return true;
  }

  #isDamaged(hash: string, reason: string): false {
    this.#verified.delete(hash);
    this.#damaged.set(hash, performance.now() + DAMAGED_FOR_MS);
    this.reports.damaged(hash, reason);
    return false;
  }
}
