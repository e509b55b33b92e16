import type { JsonObject } from '#kernel';
import type { ChannelFolder, ChannelFolders } from '#organization';

/** A channel folder in wire format (endpoints.md §8, "ChannelFolder"). */
export type WireFolder = JsonObject & {
  readonly id: number;
  readonly is_archived: boolean;
};

/** One list for all recipients, so that it is made once. */
const wires = new WeakMap<ChannelFolders, readonly WireFolder[]>();

/** All folders in order, archived ones included. */
export function wireFolders(folders: ChannelFolders): readonly WireFolder[] {
  let wire = wires.get(folders);
  if (wire === undefined) wires.set(folders, (wire = folders.inOrder.map(wireFolder)));
  return wire;
}

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
