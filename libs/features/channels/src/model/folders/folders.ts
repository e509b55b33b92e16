import { unreachable } from '#kernel';
import type { FolderEvent } from './folder.events.js';

/** A folder in which clients group channels; each channel is in one or none. */
export interface ChannelFolder {
  readonly folderId: number;
  readonly name: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly isArchived: boolean;
  readonly creatorId: number;
  readonly createdAt: number;
}

/** The organization's channel folders. The state is replaced, never mutated, so a reader may keep it. */
export interface ChannelFolders {
  /** Folders are never removed, so their number is the highest ID. */
  readonly inOrder: readonly ChannelFolder[];
}

export const NO_FOLDERS: ChannelFolders = { inOrder: [] };

export function evolveFolders({ inOrder }: ChannelFolders, event: FolderEvent): ChannelFolders {
  switch (event.type) {
    case 'channel-folder.created.v1': {
      const { by: creatorId, at: createdAt, ...folder } = event.data;
      return { inOrder: [...inOrder, { ...folder, isArchived: false, creatorId, createdAt }] };
    }
    case 'channel-folder.changed.v1': {
      const { folderId, name, description, isArchived } = event.data;
      return {
        inOrder: inOrder.map((folder) =>
          folder.folderId === folderId
            ? {
                ...folder,
                name: name ?? folder.name,
                description: description?.text ?? folder.description,
                renderedDescription: description?.rendered ?? folder.renderedDescription,
                isArchived: isArchived ?? folder.isArchived,
              }
            : folder,
        ),
      };
    }
    case 'channel-folders.reordered.v1': {
      const byId = new Map(inOrder.map((folder) => [folder.folderId, folder]));
      return { inOrder: event.data.folderIds.flatMap((id) => byId.get(id) ?? []) };
    }
    default:
      return unreachable(event);
  }
}
