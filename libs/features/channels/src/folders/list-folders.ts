import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { Directory } from '#people';
import { foldersPart } from '../model/folders/folders.part.js';
import { wireFolders, type WireFolder } from './wire-folder.js';

/** The organization's channel folders in order (endpoints.md §8, GET /channel_folders). Every user may list them. */
export class ListFoldersQuery extends Query<readonly WireFolder[]> {
  constructor(readonly includesArchived: boolean) {
    super();
  }
}

export const listFolders = query(ListFoldersQuery, { directory: Directory }, ({ includesArchived }, { directory }) => {
  const folders = wireFolders(directory.of(foldersPart));
  return includesArchived ? folders : folders.filter(({ is_archived }) => !is_archived);
});
