import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFolder, nextSlice } from '#kernel';
import type { EntrySource, ManifestEntry } from '#archive';

/** Text is hashed and written in pieces of this size: less than a millisecond of work. */
const PIECE_LENGTH = 128 * 1024;
const HEADER = 'header.json';
const PARTS = 'parts.jsonl';

/** A finished part of an archive. */
export interface Part extends ManifestEntry {
  /** Documents in it. */
  readonly documents: number;
  /** Start of the next part, when parts depend on each other. */
  readonly next?: string;
}

/** What a part consists of: text, documents that become lines, and at the end where the next part begins. */
export interface PartContent {
  readonly lines: AsyncIterable<object>;
  readonly next?: () => string;
}

/**
 * Folder in which an archive is prepared, part by part. What a process that ended has finished is used by the next one, when
 * it makes the same archive.
 */
export class WorkFolder {
  readonly #parts = new Map<string, Part>();

  private constructor(
    private readonly path: string,
    /** Identity of the archive. */
    readonly header: Readonly<Record<string, unknown>>,
    private readonly list: FileHandle,
  ) {}

  /**
   * Opens the folder of an earlier attempt at the same archive, or an empty one.
   * @param same what must be the same
   * @param chosen what is chosen once; an earlier choice counts
   */
  static async open(path: string, same: object, chosen: object): Promise<WorkFolder> {
    const wanted = JSON.stringify(same);
    const known = await readFile(join(path, HEADER), 'utf8').then(
      (text) => JSON.parse(text) as { same: unknown; chosen: Record<string, unknown> },
      () => undefined,
    );
    const isSame = known !== undefined && JSON.stringify(known.same) === wanted;
    if (!isSame) {
      await rm(path, { recursive: true, force: true });
      await createFolder(path);
      const header = await open(join(path, `${HEADER}.tmp`), 'w', 0o600);
      await header.writeFile(JSON.stringify({ same, chosen }));
      await header.sync();
      await header.close();
      await rename(join(path, `${HEADER}.tmp`), join(path, HEADER));
    }
    const list = await open(join(path, PARTS), 'a+', 0o600);
    const folder = new WorkFolder(path, isSame ? known.chosen : { ...chosen }, list);
    await folder.#restore();
    return folder;
  }

  get parts(): readonly Part[] {
    return [...this.#parts.values()];
  }

  find(name: string): Part | undefined {
    return this.#parts.get(name);
  }

  /** Writes a part, unless it is there. */
  async write(name: string, content: () => PartContent, signal: AbortSignal): Promise<Part> {
    const known = this.#parts.get(name);
    if (known !== undefined) return known;
    signal.throwIfAborted();
    const path = join(this.path, name);
    await createFolder(dirname(path));
    const { lines, next } = content();
    const file = await open(`${path}.tmp`, 'w', 0o600);
    const text = new HashedText(file);
    try {
      for await (const line of lines) {
        await text.add(`${JSON.stringify(line)}\n`);
        signal.throwIfAborted();
      }
      await text.end();
    } finally {
      await file.close();
    }
    await rename(`${path}.tmp`, path);
    const begin = next?.();
    const { bytes, documents } = text;
    const part = { name, bytes, sha256: text.digest(), documents, ...(begin === undefined ? {} : { next: begin }) };
    await this.#remember(part);
    return part;
  }

  /** A part as an entry of the archive. */
  entryOf({ name, bytes }: Part): EntrySource {
    return { name, bytes, compress: true, open: () => Promise.resolve(createReadStream(join(this.path, name))) };
  }

  async close(): Promise<void> {
    await this.list.close();
  }

  /** Removes the folder. */
  async remove(): Promise<void> {
    await this.close();
    await rm(this.path, { recursive: true, force: true });
  }

  async #remember(part: Part): Promise<void> {
    await this.list.appendFile(`${JSON.stringify(part)}\n`);
    await this.list.sync();
    this.#parts.set(part.name, part);
  }

  /** Parts up to the first that is not whole; the list is cut after them, since more lines will follow. */
  async #restore(): Promise<void> {
    const text = await readFile(join(this.path, PARTS), 'utf8');
    let length = 0;
    for (const line of text.split('\n').slice(0, -1)) {
      const part = JSON.parse(line) as Part;
      const isWhole = await stat(join(this.path, part.name)).then(
        ({ size }) => size === part.bytes,
        () => false,
      );
      if (!isWhole) break;
      this.#parts.set(part.name, part);
      length += Buffer.byteLength(line) + 1;
    }
    await this.list.truncate(length);
  }
}

/** Text that is written to a file piece by piece, with its hash. */
class HashedText {
  readonly #hash = createHash('sha256');
  #pieces: string[] = [];
  #length = 0;
  bytes = 0;
  documents = 0;

  constructor(private readonly file: FileHandle) {}

  async add(line: string): Promise<void> {
    this.#pieces.push(line);
    this.#length += line.length;
    this.documents++;
    if (this.#length < PIECE_LENGTH) return;
    await this.#flush();
    await nextSlice();
  }

  async end(): Promise<void> {
    await this.#flush();
    await this.file.sync();
  }

  digest(): string {
    return this.#hash.digest('hex');
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#pieces.join(''));
    [this.#pieces, this.#length] = [[], 0];
    this.#hash.update(bytes);
    this.bytes += bytes.length;
    await this.file.writeFile(bytes);
  }
}
