import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { FileReferences } from '#reading';
import type { User } from '#users/model';
import { FilesReader, SpaceReader } from '../model/files.reader.js';
import { wireAttachment, type WireAttachment } from './wire-attachment.js';

/** An answer of some 5 MB. */
const LISTED_MAX = 10_000;
/** Files whose messages are looked up together. */
const BATCH = 100;

export interface ListedAttachments {
  /** By ID. */
  readonly attachments: readonly WireAttachment[];
  /** Size of all files of the organization, in bytes. */
  readonly usedBytes: number;
}

/** The viewer's own files (endpoints.md §12). */
export class ListAttachmentsQuery extends Query<ListedAttachments> {
  constructor(readonly viewer: User) {
    super();
  }
}

export const listAttachments = query(
  ListAttachmentsQuery,
  { files: FilesReader, space: SpaceReader, references: FileReferences },
  async ({ viewer }, { files, space, references }) => {
    const own = await files.ofUser(viewer.userId, LISTED_MAX);
    const attachments: WireAttachment[] = [];
    for (let from = 0; from < own.length; from += BATCH) {
      const batch = own.slice(from, from + BATCH);
      const messages = await references.of(batch.map(({ fileId }) => fileId));
      for (const { fileId, doc } of batch) attachments.push(wireAttachment(fileId, doc, messages.get(fileId) ?? []));
    }
    return { attachments, usedBytes: await space.used() };
  },
);
