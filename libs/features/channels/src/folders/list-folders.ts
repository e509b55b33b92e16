import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Directory } from '#organization';
import { wireFolders, type WireFolder } from './wire-folder.js';
import { foldersPart } from '../model/folders/folders.part.js';

/** The organization's channel folders in order (endpoints.md §8, GET /channel_folders). Every user may list them. */
export class ListFoldersQuery extends Query<readonly WireFolder[]> {
  constructor(readonly includesArchived: boolean) {
    super();
  }
}

@QueryHandler(ListFoldersQuery)
export class ListFoldersHandler implements IQueryHandler<ListFoldersQuery> {
  constructor(private readonly directory: Directory) {}

  execute({ includesArchived }: ListFoldersQuery): Promise<readonly WireFolder[]> {
    const folders = wireFolders(this.directory.of(foldersPart));
    return Promise.resolve(includesArchived ? folders : folders.filter(({ is_archived }) => !is_archived));
  }
}
