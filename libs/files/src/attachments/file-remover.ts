import { Injectable } from '@nestjs/common';
import { type BlobSpace, BlobStore } from '#blob-store';
import { CommandRunner, streams } from '#event-store';
import { Clock } from '#kernel';
import { fileDecider } from '../model/file.decider.js';
import type { FileRemoved } from '../model/file.events.js';
import { fileSpaceOf } from '../model/file-space.js';
import { type FileRow, FilesReader } from '../model/files.reader.js';

/**
 * Content that was stored again since may belong to an upload that is not recorded yet: more than a request lasts. The
 * clean-up removes it later.
 */
export const UNRECORDED_MS = 60 * 60 * 1_000;

/** Removes files, and content that no file has any more. */
@Injectable()
export class FileRemover {
  readonly #space: BlobSpace;

  constructor(
    private readonly files: FilesReader,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
    blobs: BlobStore,
  ) {
    this.#space = fileSpaceOf(blobs);
  }

  async remove({ fileId, doc }: FileRow, reason: FileRemoved['data']['reason']): Promise<void> {
    const { userId, size, blobs } = doc;
    const command = { fileId, userId, size, reason, at: this.clock.nowSeconds() };
    await this.runner.run(fileDecider, streams.file(fileId), command);
    for (const hash of blobs) await this.removeContent(hash);
  }

  /** Removes content unless a file has it, or may be about to. */
  async removeContent(hash: string): Promise<void> {
    if (await this.files.hasBlob(hash)) return;
    await this.#space.remove(hash, this.clock.nowMs() - UNRECORDED_MS);
  }
}
