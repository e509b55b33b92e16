import { directoryValue } from '#directory';
import { folderEventTypes } from './folder.events.js';
import { evolveFolders, NO_FOLDERS } from './folders.js';

/** The organization's channel folders. */
export const foldersPart = directoryValue({
  name: 'folders',
  events: folderEventTypes,
  initial: NO_FOLDERS,
  evolve: evolveFolders,
});
