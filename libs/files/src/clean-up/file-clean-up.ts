import { Injectable } from '@nestjs/common';
import { type BlobInfo, type BlobSpace, BlobStore } from '#blob-store';
import { Clock, Repetition } from '#kernel';
import { FileReferences } from '#messages';
import { PlannedContents } from '#plans';
import { FileRemover, UNRECORDED_MS } from '../attachments/file-remover.js';
import { pathIdOf } from '../model/file-path.js';
import { fileSpaceOf } from '../model/file-space.js';
import { type FileRow, FilesReader } from '../model/files.reader.js';

/** A file that nothing has referred to for five weeks was meant for a message that was never sent. */
export const UNUSED_AFTER_MS = 5 * 7 * 24 * 60 * 60 * 1_000;

/** Files, and pieces of content, looked at in one round: a few milliseconds of work. */
const ROUND = 100;
/** A million files are looked at within a week. */
const ROUND_EVERY_MS = 60_000;

/**
 * Removes files to which nothing refers any more, content that no file has, and what interrupted uploads have left behind.
 * It goes through all of them in small rounds. Every api does so: removing twice does no harm.
 */
@Injectable()
export class FileCleanUp {
  readonly #space: BlobSpace;
  /** Files up to this ID were looked at in this pass. */
  #reached = 0;
  #contents: AsyncIterator<BlobInfo> | undefined;
  readonly #rounds = new Repetition(() => this.round(), ROUND_EVERY_MS);

  constructor(
    private readonly files: FilesReader,
    private readonly references: FileReferences,
    private readonly planned: PlannedContents,
    private readonly remover: FileRemover,
    private readonly blobs: BlobStore,
    private readonly clock: Clock,
  ) {
    this.#space = fileSpaceOf(blobs);
  }

  /** @param onError is told of a failure; the next round tries again */
  start(onError: (error: unknown) => void): void {
    this.#rounds.start(onError);
  }

  /** Stops after the round in progress. */
  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Looks at the next files, and at the next pieces of content. */
  async round(): Promise<void> {
    await this.#removeUnused();
    await this.#removeUnowned();
    await this.blobs.cleanUp();
  }

  async #removeUnused(): Promise<void> {
    const rows = await this.files.after(this.#reached, ROUND);
    this.#reached = rows.length < ROUND ? 0 : (rows.at(-1)?.fileId ?? 0);
    const before = this.clock.nowMs() - UNUSED_AFTER_MS;
    const old = new Map(rows.filter(({ doc }) => doc.atMs < before).map((row) => [row.fileId, row]));
    for (const fileId of await this.references.unreferenced([...old.keys()])) {
      const row = old.get(fileId);
      if (row !== undefined && !(await this.#isPlanned(row))) await this.remover.remove(row, 'unused');
    }
  }

  /** Whether the uploader is about to send it: nobody else can read it, and refer to it. */
  async #isPlanned({ doc }: FileRow): Promise<boolean> {
    const path = pathIdOf(doc);
    return (await this.planned.of(doc.userId)).some((content) => content.includes(path));
  }

  async #removeUnowned(): Promise<void> {
    const before = this.clock.nowMs() - UNRECORDED_MS;
    for (let count = 0; count < ROUND; count++) {
      this.#contents ??= this.#space.list()[Symbol.asyncIterator]();
      const next = await this.#contents.next();
      if (next.done === true) {
        this.#contents = undefined;
        return;
      }
      const { hash, storedAtMs } = next.value;
      if (storedAtMs < before) await this.remover.removeContent(hash);
    }
  }
}
