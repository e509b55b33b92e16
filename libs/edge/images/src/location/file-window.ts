import type { FileHandle } from 'node:fs/promises';

/** Bytes that are read at a time. */
const WINDOW_BYTES = 64 * 1024;
/** Parts of a file that are looked at. A PNG of a gigabyte may have 130,000; what has more behaves as if it ended there. */
const READS_MAX = 200_000;

/** Reads a file in order, a window at a time, so that no more than that is in memory. */
export class FileWindow {
  #from = 0;
  #reads = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(
    private readonly file: FileHandle,
    /** In bytes. */
    readonly size: number,
  ) {}

  /** The bytes from a position on: at least so many, unless the file ends before. */
  async from(at: number, bytes: number): Promise<Buffer> {
    if (++this.#reads > READS_MAX) return Buffer.alloc(0);
    const start = at - this.#from;
    if (start < 0 || start + bytes > this.#bytes.length) await this.#load(at, Math.max(bytes, WINDOW_BYTES));
    return this.#bytes.subarray(at - this.#from);
  }

  /** So many bytes; fewer when the file ends before. */
  async read(at: number, bytes: number): Promise<Buffer> {
    return (await this.from(at, bytes)).subarray(0, bytes);
  }

  async #load(at: number, bytes: number): Promise<void> {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(bytes, this.size - at)));
    let read = 0;
    while (read < buffer.length) {
      const { bytesRead } = await this.file.read(buffer, read, buffer.length - read, at + read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    this.#from = at;
    this.#bytes = buffer.subarray(0, read);
  }
}
