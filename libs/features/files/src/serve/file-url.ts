import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import type { User } from '#users/model';
import { ReadableFiles } from './readable-files.js';
import { TemporaryLinks } from './temporary-links.js';

/** A temporary address of a file, relative to the server's. @throws Refusal NOT_FOUND */
export class FileUrlQuery extends Query<string> {
  constructor(
    readonly viewer: User,
    readonly pathId: string,
  ) {
    super();
  }
}

export const fileUrl = query(
  FileUrlQuery,
  { readable: ReadableFiles, links: TemporaryLinks },
  async ({ viewer, pathId }, { readable, links }) => {
    const { fileId, doc } = await readable.access(viewer, pathId);
    return `/user_uploads/temporary/${links.tokenFor(fileId)}/${encodeURIComponent(doc.name)}`;
  },
);
