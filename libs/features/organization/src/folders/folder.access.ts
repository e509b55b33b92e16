import { badRequest } from '#kernel';
import type { Directory } from '../directory/directory.js';
import type { ChannelFolder } from './folders.js';

/** @throws Refusal BAD_REQUEST for an unknown folder */
export function accessFolder({ folders }: Pick<Directory, 'folders'>, folderId: number): ChannelFolder {
  const folder = folders.inOrder.find((one) => one.folderId === folderId);
  if (folder === undefined) throw badRequest('Invalid channel folder ID');
  return folder;
}

/**
 * Whether channels can be put into the folder.
 * @throws Refusal BAD_REQUEST for an unknown folder, and for an archived one, which is empty
 */
export function assertUsableFolder(directory: Pick<Directory, 'folders'>, folderId: number | null): void {
  if (folderId === null) return;
  if (accessFolder(directory, folderId).isArchived) throw badRequest('Channel folder is archived');
}
