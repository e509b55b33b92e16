import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs';
import { chmod, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createDurably } from '../../backup/durable-file.js';
import { isMissing } from './missing.js';

/** Everything that is not finished yet. Removed at the end. */
const WORK = '.work';
/** The draft that tells what was begun. */
export const BEGUN = 'begun.json';
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

export const MANIFEST = 'manifest.json';

/** What a file of the export holds. */
export interface FileDigest {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The folder of an export: files appear in it whole or not at all, and nobody else may read them. */
export class ExportFolder {
  private constructor(readonly path: string) {}

  /**
   * Makes the folder, or takes an earlier export's.
   * @throws Error for a folder with other things in it, and for one in which another process exports
   */
  static async open(path: string): Promise<ExportFolder> {
    const found: readonly string[] = await readdir(path).catch(noneIfMissing);
    if (found.length > 0 && !found.includes(MANIFEST) && !found.includes(WORK))
      throw new Error(`${path} has other things in it. Name a new folder, or that of an earlier export.`);
    await createDurably(join(path, WORK));
    await chmod(path, PRIVATE_FOLDER);
    const folder = new ExportFolder(path);
    await folder.#lock();
    return folder;
  }

  /** A file of the export, by its path with slashes. */
  at(name: string): string {
    return join(this.path, ...name.split('/'));
  }

  /** A file that is not part of the export. */
  draft(name: string): string {
    return join(this.path, WORK, name);
  }

  has(name: string): boolean {
    return existsSync(this.at(name));
  }

  /** An earlier call was broken off after it had received something. */
  get isBegun(): boolean {
    return existsSync(this.draft(BEGUN));
  }

  async text(name: string): Promise<string | undefined> {
    return readFile(this.at(name), 'utf8').catch(undefinedIfMissing);
  }

  /** Writes a file piece by piece, and puts it in its place once it is whole and on the disk. */
  async write(name: string, content: AsyncIterable<string | Uint8Array>): Promise<void> {
    const draft = this.draft('file');
    await pipeline(content, createWriteStream(draft, { mode: PRIVATE_FILE, flush: true }));
    await this.keep(draft, name);
  }

  /** Puts a draft in its place. */
  async keep(draft: string, name: string): Promise<void> {
    const path = this.at(name);
    await createDurably(dirname(path));
    await rename(draft, path);
  }

  async remove(name: string): Promise<void> {
    await rm(this.at(name), { force: true });
  }

  /** Removes folders in which nothing is left. */
  async removeEmpty(name: string): Promise<void> {
    for (const entry of await readdir(this.at(name), { withFileTypes: true }).catch(noneIfMissing))
      if (entry.isDirectory() && (await readdir(this.at(`${name}/${entry.name}`))).length === 0)
        await rmdir(this.at(`${name}/${entry.name}`));
  }

  /** The files of the export, without its manifest, in the order of their paths. */
  async *files(below = ''): AsyncGenerator<string, void, void> {
    const entries = await readdir(below === '' ? this.path : this.at(below), { withFileTypes: true });
    const named = entries.map((entry) => ({ entry, key: entry.isDirectory() ? `${entry.name}/` : entry.name }));
    named.sort((a, b) => (a.key < b.key ? -1 : 1));
    for (const { entry } of named) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (name === WORK || name === MANIFEST) continue;
      if (entry.isDirectory()) yield* this.files(name);
      else if (entry.isFile()) yield name;
    }
  }

  async digest(name: string): Promise<FileDigest> {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(this.at(name))) hash.update(chunk as Buffer);
    return { path: name, bytes: (await stat(this.at(name))).size, sha256: hash.digest('hex') };
  }

  /** Everything is in its place. */
  finish(): void {
    rmSync(join(this.path, WORK), { recursive: true, force: true });
  }

  /** Another process may go on. */
  release(): void {
    rmSync(this.draft('lock'), { force: true });
  }

  async #lock(): Promise<void> {
    const path = this.draft('lock');
    const owner = Number(await readFile(path, 'utf8').catch(undefinedIfMissing));
    if (owner > 0 && owner !== process.pid && isRunning(owner))
      throw new Error(`Process ${owner} exports into ${this.path}. Wait until it has ended.`);
    await rm(path, { force: true });
    const file = await open(path, 'wx', PRIVATE_FILE);
    await file.writeFile(String(process.pid));
    await file.close();
  }
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function noneIfMissing(error: unknown): never[] {
  if (isMissing(error)) return [];
  throw error;
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
