import { directoryValue } from '#directory';
import { folderEventTypes } from './folder.events.js';
import { evolveFolders, NO_FOLDERS } from './folders.js';

/** The organization's channel folders. */
export const foldersPart = directoryValue({
  name: 'folders',
  events: folderEventTypes,
  initial: NO_FOLDERS,
  earlier: {
    'channel-folder.changed.v1': ({ inOrder }, { folderId, name, description, isArchived }) => {
      const was = inOrder.find((one) => one.folderId === folderId);
      return {
        ...(name !== undefined && { name: was?.name }),
        ...(description !== undefined && { description: was?.description }),
        ...(isArchived !== undefined && { isArchived: was?.isArchived }),
      };
    },
    'channel-folders.reordered.v1': ({ inOrder }) => ({ folderIds: inOrder.map(({ folderId }) => folderId) }),
  },
  evolve: evolveFolders,
});
