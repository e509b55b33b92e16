import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { BlobStore } from '#blob-store';
import { EventStore, streams } from '#event-store';
import { type FileUploaded, fileSpaceOf } from '#files';
import { Refusal } from '#kernel';

/** Content, which the caller reads to its end or destroys. */
export interface ExportedFile {
  readonly content: Readable;
  readonly size: number;
}

/** Content of uploaded files. */
@Injectable()
export class ExportFiles {
  constructor(
    private readonly store: EventStore,
    private readonly blobs: BlobStore,
  ) {}

  /** @throws Refusal NOT_FOUND for a file that never was, and for content that is removed or damaged */
  async open(fileId: number): Promise<ExportedFile> {
    const [event] = await this.store.readStream(streams.files, { from: fileId - 1, limit: 1 });
    const { hash, size } = (event?.data ?? {}) as Partial<FileUploaded['data']>;
    const opened = hash === undefined ? undefined : await fileSpaceOf(this.blobs).open(hash);
    if (opened === undefined) throw missing();
    if (opened.size === size) return { content: opened.content, size };
    opened.content.destroy();
    throw missing();
  }
}

/** By its words alone it differs from the refusal of a path that is hidden. */
export const NO_CONTENT = 'There is no content of this file.';

function missing(): Refusal {
  return new Refusal('NOT_FOUND', NO_CONTENT);
}
