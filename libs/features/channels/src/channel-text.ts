import { badRequest } from '#kernel';
import { hiddenCharacterIn, normalizedName } from '#users/model';
import { CHANNEL_DESCRIPTION_LENGTH_MAX, CHANNEL_NAME_LENGTH_MAX } from './channel-settings.js';

/**
 * Normalises a name for storage.
 * @throws Refusal BAD_REQUEST
 */
export function checkChannelName(raw: string): string {
  const name = normalizedName(raw);
  if (name === '') throw badRequest("Channel name can't be empty.");
  if (Array.from(name).length > CHANNEL_NAME_LENGTH_MAX) {
    throw badRequest(`Channel name too long (limit: ${CHANNEL_NAME_LENGTH_MAX} characters).`);
  }
  const invalid = hiddenCharacterIn(name);
  if (invalid !== -1) throw badRequest(`Invalid character in channel name, at position ${invalid + 1}.`);
  return name;
}

/**
 * Normalises a description for storage: one line.
 * @throws Refusal BAD_REQUEST
 */
export function checkChannelDescription(raw: string): string {
  if (raw.includes('\0')) throw badRequest('Invalid character in channel description.');
  const description = raw.replaceAll(/\r?\n/g, ' ').trim();
  if (Array.from(description).length > CHANNEL_DESCRIPTION_LENGTH_MAX) {
    throw badRequest(`description is too long (limit: ${CHANNEL_DESCRIPTION_LENGTH_MAX} characters)`);
  }
  return description;
}
