import { badRequest, unreachable } from '#kernel';
import { assertAdministrator, hiddenCharacterIn, nameKey, normalizedName } from '#users/model';
import { LIMITS } from '#realm/model';
import type { Directory } from '#people';
import type { FolderCommand } from './folders.commands.js';
import { accessFolder } from '../model/folders/folder.access.js';
import type { ChannelFolder } from '../model/folders/folders.js';
import type { FolderChanged, FolderEvent } from '../model/folders/folder.events.js';
import { foldersPart } from '../model/folders/folders.part.js';

/** All of them go to every client that registers. */
export const FOLDERS_MAX = 1000;

const NAME_LENGTH_MAX = LIMITS.max_channel_folder_name_length;

/**
 * The organization's channel folders (endpoints.md §8).
 * @throws Refusal UNAUTHORIZED_PRINCIPAL, BAD_REQUEST
 */
export function decideFolders(directory: Directory, command: FolderCommand): readonly FolderEvent[] {
  const { actor, at } = command;
  assertAdministrator(actor);
  const { inOrder } = directory.of(foldersPart);
  const done = { by: actor.userId, at };
  switch (command.type) {
    case 'create-folder': {
      if (inOrder.length >= FOLDERS_MAX) throw badRequest(`There are too many channel folders (limit: ${FOLDERS_MAX})`);
      const { text: description, rendered: renderedDescription } = command.description;
      const name = checkFolderName(command.name);
      assertNameIsFree(inOrder, name);
      const folder = { folderId: inOrder.length + 1, name, description, renderedDescription };
      return [{ type: 'channel-folder.created.v1', data: { ...folder, ...done } }];
    }
    case 'change-folder': {
      const changes = changesOf(directory, command);
      if (Object.keys(changes).length === 0) return [];
      return [{ type: 'channel-folder.changed.v1', data: { folderId: command.folderId, ...changes, ...done } }];
    }
    case 'reorder-folders': {
      const { folderIds } = command;
      const isWhole = folderIds.length === inOrder.length && new Set(folderIds).size === folderIds.length;
      if (!isWhole || !inOrder.every(({ folderId }) => folderIds.includes(folderId)))
        throw badRequest('Invalid order mapping.');
      if (inOrder.every(({ folderId }, index) => folderIds[index] === folderId)) return [];
      return [{ type: 'channel-folders.reordered.v1', data: { folderIds: [...folderIds], ...done } }];
    }
    default:
      return unreachable(command);
  }
}

type Changes = Pick<FolderChanged['data'], 'name' | 'description' | 'isArchived'>;

function changesOf(directory: Directory, command: FolderCommand & { readonly type: 'change-folder' }): Changes {
  const folder = accessFolder(directory, command.folderId);
  const { inOrder } = directory.of(foldersPart);
  const name = command.name === undefined ? folder.name : checkFolderName(command.name);
  const isArchived = command.isArchived ?? folder.isArchived;
  if (isArchived && !folder.isArchived) assertIsEmpty(directory, folder);
  // Names of archived folders may be used again, so one may be taken when its folder becomes active.
  if (!isArchived) assertNameIsFree(inOrder, name, folder);
  const { description } = command;
  return {
    ...(name === folder.name ? {} : { name }),
    ...(description === undefined || description.text === folder.description ? {} : { description }),
    ...(isArchived === folder.isArchived ? {} : { isArchived }),
  };
}

function assertNameIsFree(folders: readonly ChannelFolder[], name: string, itself?: ChannelFolder): void {
  const key = nameKey(name);
  const isTaken = folders.some((other) => other !== itself && !other.isArchived && nameKey(other.name) === key);
  if (isTaken) throw badRequest('Channel folder name already in use');
}

function assertIsEmpty(directory: Directory, { folderId }: ChannelFolder): void {
  for (const channel of directory.channels()) {
    if (channel.folderId === folderId)
      throw badRequest('You need to remove all the channels from this folder to archive it.');
  }
}

function checkFolderName(raw: string): string {
  const name = normalizedName(raw);
  if (name === '') throw badRequest("Channel folder name can't be empty.");
  if (Array.from(name).length > NAME_LENGTH_MAX)
    throw badRequest(`Channel folder name too long (limit: ${NAME_LENGTH_MAX} characters).`);
  const invalid = hiddenCharacterIn(name);
  if (invalid !== -1) throw badRequest(`Invalid character in channel folder name, at position ${invalid + 1}.`);
  return name;
}
