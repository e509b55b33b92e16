import { type JsonObject, memoized } from '#kernel';
import type { ChannelFolder, ChannelFolders } from '../model/folders/folders.js';

/** A channel folder in wire format (endpoints.md §8, "ChannelFolder"). */
export type WireFolder = JsonObject & {
  readonly id: number;
  readonly is_archived: boolean;
};

/** All folders in order, archived ones included: one list for all recipients. */
export const wireFolders = memoized(({ inOrder }: ChannelFolders): readonly WireFolder[] => inOrder.map(wireFolder));

function wireFolder(folder: ChannelFolder, order: number): WireFolder {
  return {
    id: folder.folderId,
    name: folder.name,
    order,
    description: folder.description,
    rendered_description: folder.renderedDescription,
    creator_id: folder.creatorId,
    date_created: folder.createdAt,
    is_archived: folder.isArchived,
  };
}
