import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { Clock, type Origin } from '#kernel';
import { fileDecider } from '../model/file.decider.js';
import type { FileRemoved } from '../model/file.events.js';
import type { FileRow } from '../model/files.reader.js';

/** Content of removed files that is remembered; the clean-up finds the rest when it comes past it. */
const LEFT_MAX = 10_000;

/** Removes files. Their content, which other files may have as well, is left to the clean-up. */
@Injectable()
export class FileRemover {
  #left = new Set<string>();

  constructor(
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  async remove({ fileId, doc }: FileRow, reason: FileRemoved['data']['reason'], origin: Origin): Promise<void> {
    const { userId, size, blobs } = doc;
    const command = { fileId, userId, size, reason, at: this.clock.nowSeconds() };
    await this.runner.run(fileDecider, streams.file(fileId), command, origin);
    for (const hash of blobs) if (this.#left.size < LEFT_MAX) this.#left.add(hash);
  }

  /** Hashes of the content of files that were removed here since the last call. */
  takeLeft(): ReadonlySet<string> {
    const left = this.#left;
    this.#left = new Set();
    return left;
  }
}
