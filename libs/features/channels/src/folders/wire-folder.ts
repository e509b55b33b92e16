import { memoized } from '#kernel';
import { type EventSchemas, integer, list, named, nullable, object, partial, text, truth, type Wire } from '#wire';
import type { ChannelFolder, ChannelFolders } from '../model/folders/folders.js';

/** A channel folder in wire format (endpoints.md §8, "ChannelFolder"). */
export const FolderSchema = named(
  'ChannelFolder',
  object({
    id: integer,
    name: text,
    order: integer,
    description: text,
    rendered_description: text,
    creator_id: nullable(integer),
    date_created: nullable(integer),
    is_archived: truth,
  }),
);
export type WireFolder = Wire<typeof FolderSchema>;

export const folderEventSchemas = {
  'channel_folder/add': { channel_folder: FolderSchema },
  'channel_folder/update': {
    channel_folder_id: integer,
    data: object(partial({ name: text, description: text, rendered_description: text, is_archived: truth })),
  },
  'channel_folder/reorder': { order: list(integer) },
} satisfies EventSchemas;

export const folderFieldSchemas = { channel_folders: list(FolderSchema) };

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
