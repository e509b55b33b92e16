import { Injectable } from '@nestjs/common';
import { EventStore, type RecordedEvent, streams } from '#event-store';
import { nextSlice } from '#kernel';
import type { FileUploaded } from '../model/file.events.js';
import { blobsOf, fileIdOf } from '../model/files.projection.js';

const PAGE_EVENTS = 512;

/** What the log says of the content of files: it is asked before any is removed. */
@Injectable()
export class RecordedContent {
  constructor(private readonly store: EventStore) {}

  /** Those of the hashes that a file has which was uploaded and not removed. Reads all uploads, in slices. */
  async namedAmong(hashes: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const named = new Set<string>();
    if (hashes.size === 0) return named;
    for await (const { data, revision } of this.#uploads()) {
      const asked = blobsOf(data).filter((hash) => hashes.has(hash) && !named.has(hash));
      if (asked.length > 0 && !(await this.#isRemoved(fileIdOf(revision)))) for (const hash of asked) named.add(hash);
    }
    return named;
  }

  async *#uploads(): AsyncGenerator<RecordedEvent<FileUploaded['data']>> {
    for (let from = 0; ; from += PAGE_EVENTS) {
      const page = await this.store.readStream(streams.files, { from, limit: PAGE_EVENTS });
      yield* page as readonly RecordedEvent<FileUploaded['data']>[];
      if (page.length < PAGE_EVENTS) return;
      await nextSlice();
    }
  }

  /** The stream of a file holds its removal alone. */
  async #isRemoved(fileId: number): Promise<boolean> {
    return (await this.store.readStream(streams.file(fileId), { limit: 1 })).length > 0;
  }
}
