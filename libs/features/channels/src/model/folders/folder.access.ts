import { badRequest } from '#kernel';
import type { DirectoryParts } from '#directory';
import type { ChannelFolder } from './folders.js';
import { foldersPart } from './folders.part.js';

/** @throws Refusal BAD_REQUEST for an unknown folder */
export function accessFolder(directory: DirectoryParts, folderId: number): ChannelFolder {
  const folder = directory.of(foldersPart).inOrder.find((one) => one.folderId === folderId);
  if (folder === undefined) throw badRequest('Invalid channel folder ID');
  return folder;
}

/**
 * Whether channels can be put into the folder.
 * @throws Refusal BAD_REQUEST for an unknown folder, and for an archived one, which is empty
 */
export function assertUsableFolder(directory: DirectoryParts, folderId: number | null): void {
  if (folderId === null) return;
  if (accessFolder(directory, folderId).isArchived) throw badRequest('Channel folder is archived');
}
