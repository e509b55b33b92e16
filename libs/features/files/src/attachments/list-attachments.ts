import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { FileReferences } from '#reading';
import type { User } from '#organization';
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

@QueryHandler(ListAttachmentsQuery)
export class ListAttachmentsHandler implements IQueryHandler<ListAttachmentsQuery> {
  constructor(
    private readonly files: FilesReader,
    private readonly space: SpaceReader,
    private readonly references: FileReferences,
  ) {}

  async execute({ viewer }: ListAttachmentsQuery): Promise<ListedAttachments> {
    const files = await this.files.ofUser(viewer.userId, LISTED_MAX);
    const attachments: WireAttachment[] = [];
    for (let from = 0; from < files.length; from += BATCH) {
      const batch = files.slice(from, from + BATCH);
      const messages = await this.references.of(batch.map(({ fileId }) => fileId));
      for (const { fileId, doc } of batch) attachments.push(wireAttachment(fileId, doc, messages.get(fileId) ?? []));
    }
    return { attachments, usedBytes: await this.space.used() };
  }
}
