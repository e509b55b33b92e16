import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
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

@QueryHandler(FileUrlQuery)
export class FileUrlHandler implements IQueryHandler<FileUrlQuery> {
  constructor(
    private readonly readable: ReadableFiles,
    private readonly links: TemporaryLinks,
  ) {}

  async execute({ viewer, pathId }: FileUrlQuery): Promise<string> {
    const { fileId, doc } = await this.readable.access(viewer, pathId);
    return `/user_uploads/temporary/${this.links.tokenFor(fileId)}/${encodeURIComponent(doc.name)}`;
  }
}
