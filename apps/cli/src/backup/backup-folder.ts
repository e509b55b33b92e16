import { existsSync } from 'node:fs';
import { access, chmod, constants, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlobStore, openBlobStore } from '#blob-store';
import { EventStoreUnavailable, WriterLock } from '#event-store';
import { SERVER_VERSION } from '#realm/model';
import { createDurably, writeDurably } from './durable-file.js';
import {
  type BackedUpSecret,
  type BackupPart,
  BackupProblem,
  emptyManifest,
  type Manifest,
  MANIFEST,
  readManifest,
  readWhole,
  sha256Of,
  withPart,
  writeManifest,
} from './manifest.js';

/** What the folder has before its first manifest. */
const LOCK = 'backup';
const FIRST_FILES = new Set([`${LOCK}.lock`, `${LOCK}.lock-journal`, `${MANIFEST}.tmp`]);
/** The manifest is written again so often: what is added after it is done once more by the next run. */
const SAVED_EVERY_MS = 2_000;
const SECRET_BYTES_MAX = 64 * 1024;

/** A backup that is being written. */
export class BackupFolder {
  #savedMs = performance.now();

  private constructor(
    readonly folder: string,
    readonly files: BlobStore,
    public manifest: Manifest,
    private readonly lock: WriterLock,
  ) {}

  /**
   * Opens a backup, or begins one in an empty folder.
   * @throws Error when the folder holds something else, or another process writes it; BackupProblem
   */
  static async open(folder: string, log: Manifest['log']): Promise<BackupFolder> {
    await createDurably(folder);
    if (!existsSync(join(folder, MANIFEST)) && (await readdir(folder)).some((name) => !FIRST_FILES.has(name)))
      throw new Error(`${folder} holds something that is no backup. Give the backup a folder of its own.`);
    // The log and the secrets are for their owner alone.
    await chmod(folder, 0o700);
    const lock = lockOf(folder);
    try {
      if (!existsSync(join(folder, MANIFEST))) await writeManifest(folder, emptyManifest(log, SERVER_VERSION));
      const manifest = await readManifest(folder);
      if (manifest.log !== log)
        throw new Error(`${folder} is the backup of a log in another kind of store. Use an empty folder.`);
      for (const name of ['log', 'files', 'secrets']) await createDurably(join(folder, name));
      // A backup that was broken off leaves content that is not complete.
      const files = openBlobStore(`file:${join(folder, 'files')}`, { isOnlyUser: true });
      await files.cleanUp();
      const backup = new BackupFolder(folder, files, manifest, lock);
      await backup.#removeStrays();
      return backup;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  async addPart(part: Omit<BackupPart, 'chain'>, checkpoint: string): Promise<void> {
    this.manifest = { ...withPart(this.manifest, part), checkpoint, server_version: SERVER_VERSION };
    if (performance.now() - this.#savedMs > SAVED_EVERY_MS) await this.save();
  }

  async addSecret(name: BackedUpSecret['name'], content: Buffer): Promise<void> {
    await writeDurably(join(this.folder, 'secrets', name), content);
    const others = this.manifest.secrets.filter((secret) => secret.name !== name);
    this.manifest = { ...this.manifest, secrets: [...others, { name, sha256: sha256Of(content) }] };
  }

  /** Content of all events so far is there. */
  complete(atMs: number): void {
    const { position } = this.manifest;
    this.manifest = { ...this.manifest, files_position: position, complete_at: new Date(atMs).toISOString() };
  }

  async save(): Promise<void> {
    await writeManifest(this.folder, this.manifest);
    this.#savedMs = performance.now();
    await this.#removeStrays();
  }

  close(): void {
    this.lock.release();
  }

  /** Removes parts that larger ones replace, and those that were not in the manifest when a run ended. */
  async #removeStrays(): Promise<void> {
    const kept = new Set(this.manifest.parts.map(({ name }) => name));
    for (const name of await readdir(join(this.folder, 'log')))
      if (!kept.has(`log/${name}`)) await rm(join(this.folder, 'log', name));
  }
}

/** Content of files in a backup; undefined when it has none. Reading creates nothing. */
export function filesOf(folder: string): BlobStore | undefined {
  const files = join(folder, 'files');
  return existsSync(files) ? openBlobStore(`file:${files}`, { isOnlyUser: false, mustExist: true }) : undefined;
}

/** @throws BackupProblem when it is missing or was changed */
export async function secretOf(folder: string, { name, sha256 }: BackedUpSecret): Promise<Buffer> {
  const content = await readWhole(folder, `secrets/${name}`, SECRET_BYTES_MAX);
  if (sha256Of(content) !== sha256) throw new BackupProblem(`secrets/${name}`, 'its content was changed.');
  return content;
}

/** Reads a backup that nothing writes meanwhile, unless it is on a medium that cannot be written anyway. */
export async function whileUnchanged<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable || !existsSync(join(folder, MANIFEST))) return work();
  const lock = lockOf(folder);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** @throws Error */
function lockOf(folder: string): WriterLock {
  try {
    return WriterLock.take(join(folder, LOCK), `Another process uses ${folder} at the moment.`);
  } catch (error) {
    throw error instanceof EventStoreUnavailable ? new Error(error.message, { cause: error }) : error;
  }
}
