import { badRequest, Refusal } from '#kernel';
import type { Readable } from 'node:stream';
import { SMALL_FILES_LIMIT_BYTES } from '../limits/limits.js';

/** A file of a form, held in memory. */
export interface SmallFile {
  /** Name from the client: may contain anything. */
  readonly filename: string;
  readonly bytes: Buffer;
}

/** Memory that the files of all requests in progress at a server hold together. */
export class SmallFileMemory {
  #heldBytes = 0;

  /** @returns false when there is less left */
  take(bytes: number): boolean {
    if (this.#heldBytes + bytes > SMALL_FILES_LIMIT_BYTES) return false;
    this.#heldBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }
}

/**
 * Files of one multipart body. Only the content of the first is kept: no route takes two. The memory counts as held until
 * `release`.
 */
export class SmallFiles {
  #count = 0;
  #first: { readonly filename: string; readonly chunks: Buffer[] } | undefined;
  #firstBytes = 0;
  #isTooLarge = false;

  constructor(
    readonly limitBytes: number,
    private readonly memory: SmallFileMemory,
  ) {}

  /** Reads a file of the form. @param fail ends the request */
  take(filename: string, content: Readable, fail: (error: Error) => void): void {
    if (this.#count++ > 0) {
      content.resume();
      return;
    }
    const chunks: Buffer[] = [];
    this.#first = { filename, chunks };
    content.on('data', (chunk: Buffer) => {
      if (this.#isTooLarge) return;
      if (!this.memory.take(chunk.length)) {
        fail(new Refusal('SERVER_NOT_READY', 'Too many uploads at once. Please try again in a moment.'));
        return;
      }
      this.#firstBytes += chunk.length;
      chunks.push(chunk);
    });
    content.once('limit', () => {
      this.#isTooLarge = true;
      this.release();
    });
  }

  get count(): number {
    return this.#count;
  }

  /**
   * The only file.
   * @param complaint text of the refusal for none and for several
   * @throws Refusal BAD_REQUEST
   */
  only(complaint: string): SmallFile {
    if (this.#count !== 1 || this.#first === undefined) throw badRequest(complaint);
    if (this.#isTooLarge) throw fileTooLarge(this.limitBytes);
    return { filename: this.#first.filename, bytes: Buffer.concat(this.#first.chunks) };
  }

  /**
   * The file, if there is one.
   * @throws Refusal BAD_REQUEST for several
   */
  atMostOne(complaint: string): SmallFile | undefined {
    return this.#count === 0 ? undefined : this.only(complaint);
  }

  /** Called when the request has been answered. */
  release(): void {
    this.memory.release(this.#firstBytes);
    this.#firstBytes = 0;
    if (this.#first !== undefined) this.#first.chunks.length = 0;
  }
}

const MIB = 1024 * 1024;

export function fileTooLarge(limitBytes: number): Refusal {
  return badRequest(`Uploaded file is larger than the allowed limit of ${limitBytes / MIB} MiB`);
}
