import type { Handlers } from '../directory/directory-part.js';
import type { FolderEvent } from './folder.events.js';
import { evolveFolders, NO_FOLDERS, type ChannelFolders } from './folders.js';

/** The organization's channel folders; a part of the directory. */
export class FolderBook {
  #folders: ChannelFolders = NO_FOLDERS;

  readonly #take = (event: FolderEvent): void => {
    this.#folders = evolveFolders(this.#folders, event);
  };

  readonly on: Handlers<FolderEvent> = {
    'channel-folder.created.v1': this.#take,
    'channel-folder.changed.v1': this.#take,
    'channel-folders.reordered.v1': this.#take,
  };

  get folders(): ChannelFolders {
    return this.#folders;
  }

  /** @param folders absent in snapshots from before they existed */
  restore(folders: ChannelFolders | undefined): void {
    this.#folders = folders ?? NO_FOLDERS;
  }
}
