import { Injectable } from '@nestjs/common';
import { Refusal } from '#kernel';
import { type ReferencedFile, ReferencedFiles } from '#messages';
import { FileReferences } from '#reading';
import { isSpectator, type User } from '#users/model';
import { metadataOf } from '../model/file-metadata.js';
import { pathIdOf } from '../model/file-path.js';
import { type FileRow, FilesReader } from '../model/files.reader.js';
import { wireAttachment, type WireAttachment } from '../attachments/wire-attachment.js';

/**
 * Access to files (endpoints.md §13): the uploader's own, and those to which a message refers that the viewer may read and whose author
 * could read the file.
 */
@Injectable()
export class ReadableFiles {
  constructor(
    private readonly files: FilesReader,
    private readonly references: FileReferences,
  ) {}

  /** @throws Refusal NOT_FOUND, alike for files that do not exist and those that the viewer may not read */
  async access(viewer: User, pathId: string): Promise<FileRow> {
    const [found] = await this.files.byPath([pathId]);
    if (found === undefined) throw noSuchFile();
    if (!(await this.mayRead(viewer, found))) throw noSuchFile();
    return found;
  }

  async mayRead(viewer: User, { fileId, doc }: FileRow): Promise<boolean> {
    if (!isSpectator(viewer) && doc.userId === viewer.userId) return true;
    return this.references.isReadable(viewer, fileId);
  }
}

export function noSuchFile(): Refusal {
  return new Refusal('NOT_FOUND', 'This file does not exist or you do not have permission to view it.');
}

/** Uploaded files for the rendering of messages. */
@Injectable()
export class UploadedFiles extends ReferencedFiles {
  constructor(
    private readonly files: FilesReader,
    private readonly references: FileReferences,
    private readonly readableFiles: ReadableFiles,
  ) {
    super();
  }

  async readable(author: User, pathIds: readonly string[]): Promise<ReadonlyMap<string, ReferencedFile>> {
    const readable = new Map<string, ReferencedFile>();
    for (const row of await this.files.byPath(pathIds)) {
      if (!(await this.readableFiles.mayRead(author, row))) continue;
      const { fileId, doc } = row;
      readable.set(pathIdOf(doc), { fileId, ownerId: doc.userId, metadata: metadataOf(doc) });
    }
    return readable;
  }

  async detached(actor: User, fileIds: readonly number[]): Promise<readonly WireAttachment[]> {
    const files = await this.files.getMany(await this.references.unreferenced(fileIds));
    return [...files.values()]
      .filter(({ doc }) => doc.userId === actor.userId)
      .map(({ fileId, doc }) => wireAttachment(fileId, doc, []));
  }
}
