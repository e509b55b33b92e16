import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ArchiveProblem } from './archive-problem.js';
import { ARCHIVE_LIMITS, type ArchiveLimits, RATIO_FREE_BYTES } from './limits.js';

/** An entry of an archive. */
export interface ArchiveEntry {
  readonly name: string;
  /** Uncompressed. */
  readonly bytes: number;
  /** Checksum of the content that the archive states. */
  readonly crc32: number;
}

/** A line of a document, or an item of a JSON list, with its number from 1. */
export interface Numbered<Value> {
  readonly number: number;
  readonly value: Value;
}

/** What an entry held when it was read to its end. */
export interface EntryDigest {
  readonly bytes: number;
  /** SHA-256 of its content, in hexadecimal digits. */
  readonly hash: string;
}

/**
 * Reads a ZIP archive that may be broken or hostile. All names and sizes are judged when it is opened; content is read as a
 * stream, and never written to a path from the archive.
 */
export class ArchiveReader {
  private constructor(
    private readonly zip: ZipFile,
    private readonly found: ReadonlyMap<string, Entry>,
    private readonly limits: ArchiveLimits,
  ) {}

  /** @throws ArchiveProblem that names the entry */
  static async open(path: string, limits = ARCHIVE_LIMITS): Promise<ArchiveReader> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch(
      broken(''),
    );
    try {
      if (zip.entryCount > limits.entriesMax)
        throw new ArchiveProblem('', `it has ${zip.entryCount} entries; at most ${limits.entriesMax} are read.`);
      return new ArchiveReader(zip, await judgedEntries(zip, limits), limits);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  close(): void {
    this.zip.close();
  }

  has(name: string): boolean {
    return this.found.has(name);
  }

  /** Entries without folders, in the order of the archive. */
  entries(): ArchiveEntry[] {
    return [...this.found.values()].map(({ fileName, uncompressedSize, crc32 }) => {
      return { name: fileName, bytes: uncompressedSize, crc32 };
    });
  }

  /** The content. It fails with `ArchiveProblem` when it is damaged or larger than the archive said. */
  async *content(name: string): AsyncGenerator<Buffer, void, void> {
    const stream = await this.#open(name);
    try {
      for await (const chunk of stream) yield chunk as Buffer;
    } catch (error) {
      throw problemOf(name, error);
    } finally {
      stream.destroy();
    }
  }

  /** Reads the content to its end. @throws ArchiveProblem */
  async digest(name: string): Promise<EntryDigest> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of this.content(name)) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    return { bytes, hash: hash.digest('hex') };
  }

  /** The JSON documents of an entry with one on each line. Blank lines are skipped. @throws ArchiveProblem */
  async *lines(name: string): AsyncGenerator<Numbered<unknown>, void, void> {
    let number = 0;
    let rest: Buffer[] = [];
    let restBytes = 0;
    for await (const chunk of this.content(name)) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        rest.push(chunk.subarray(from, end));
        const line = rest.length === 1 ? (rest[0] ?? EMPTY) : Buffer.concat(rest);
        [rest, restBytes, from] = [[], 0, end + 1];
        number++;
        if (line.length > 0) yield { number, value: parsed(name, line, number) };
      }
      if (from === chunk.length) continue;
      rest.push(chunk.subarray(from));
      restBytes += chunk.length - from;
      if (restBytes > this.limits.lineBytesMax)
        throw new ArchiveProblem(name, `line ${number + 1} is longer than ${this.limits.lineBytesMax} bytes.`);
    }
    const line = Buffer.concat(rest);
    if (line.length > 0) yield { number: number + 1, value: parsed(name, line, number + 1) };
  }

  /** A whole entry as one JSON document. @throws ArchiveProblem, also when it is larger than a line may be */
  async json(name: string): Promise<unknown> {
    const entry = this.found.get(name);
    if (entry === undefined) throw new ArchiveProblem(name, 'it is missing.');
    if (entry.uncompressedSize > this.limits.lineBytesMax)
      throw new ArchiveProblem(name, `it is larger than ${this.limits.lineBytesMax} bytes.`);
    const chunks: Buffer[] = [];
    for await (const chunk of this.content(name)) chunks.push(chunk);
    return parsed(name, Buffer.concat(chunks));
  }

  async #open(name: string): Promise<Readable> {
    const entry = this.found.get(name);
    if (entry === undefined) throw new ArchiveProblem(name, 'it is missing.');
    return this.zip.openReadStreamPromise(entry).catch(broken(name));
  }
}

const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);
async function judgedEntries(zip: ZipFile, limits: ArchiveLimits): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  let bytes = 0;
  let last = '';
  const failed = once(zip, 'error').then(([error]) => {
    throw problemOf(last, error);
  });
  // Without this, an error after the last entry would be an unhandled rejection.
  failed.catch(() => undefined);
  const each = zip.eachEntry();
  for (;;) {
    const next = await Promise.race([each.next(), failed]).catch(broken(last));
    if (next.done === true) return found;
    const entry = next.value;
    last = entry.fileName;
    judge(entry, found, limits);
    bytes += entry.uncompressedSize;
    if (bytes > limits.bytesMax)
      throw new ArchiveProblem(last, `with it, the archive holds more than ${limits.bytesMax} bytes.`);
    if (!last.endsWith('/')) found.set(last, entry);
  }
}

function judge(entry: Entry, found: ReadonlyMap<string, Entry>, limits: ArchiveLimits): void {
  const { fileName: name, uncompressedSize, compressedSize } = entry;
  const refuse = (reason: string): never => {
    throw new ArchiveProblem(name, reason);
  };
  // The library has refused `..`, absolute paths and backslashes by now; this does not depend on its options.
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name) || name.split(/[/\\]/).includes('..'))
    refuse('its path leads outside.');
  if (name.includes('\0') || Buffer.byteLength(name) > limits.nameBytesMax) refuse('its name is no name of a file.');
  if (found.has(name)) refuse('there are two of this name.');
  if (entry.isEncrypted()) refuse('it is encrypted.');
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) refuse('it is compressed by an unknown method.');
  const isBomb = uncompressedSize > RATIO_FREE_BYTES && uncompressedSize > compressedSize * limits.ratioMax;
  if (isBomb) refuse(`it would become ${uncompressedSize} bytes from ${compressedSize}.`);
}

function parsed(name: string, text: Buffer, line?: number): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch (error) {
    const place = line === undefined ? '' : `line ${line} `;
    throw new ArchiveProblem(name, `${place}is not JSON.`, { cause: error });
  }
}

/** Fails with what an error of the library says about the entry. */
function broken(name: string) {
  return (error: unknown): never => {
    throw problemOf(name, error);
  };
}

function problemOf(name: string, error: unknown): ArchiveProblem {
  if (error instanceof ArchiveProblem) return error;
  return new ArchiveProblem(name, error instanceof Error ? error.message : String(error), { cause: error });
}
