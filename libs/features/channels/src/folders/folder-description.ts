import { badRequest } from '#kernel';
import { renderDescription } from '#markdown';
import { renderWorldOf } from '#messages';
import { LIMITS, type Site } from '#realm/model';
import type { Directory } from '#people';
import type { User } from '#users/model';
import type { FolderDescription } from './folders.commands.js';

const LENGTH_MAX = LIMITS.max_channel_folder_description_length;

/**
 * Checks and renders a description.
 * @throws Refusal BAD_REQUEST
 */
export function folderDescription(directory: Directory, site: Site, actor: User, raw: string): FolderDescription {
  if (raw.includes('\0')) throw badRequest('Invalid character in channel folder description.');
  const text = raw.trim();
  if (Array.from(text).length > LENGTH_MAX)
    throw badRequest(`description is too long (limit: ${LENGTH_MAX} characters)`);
  const rendered = text === '' ? '' : renderDescription(text, renderWorldOf(directory, site.url, actor));
  return { text, rendered };
}
