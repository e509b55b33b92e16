import { badRequest } from '#kernel';
import type { Directory } from '#people';
import { hiddenCharacterIn, normalizedName } from '#users/model';

/** Code points. */
export const GROUP_NAME_LENGTH_MAX = 100;
/** Maximum length of a description, the same as for channels: clients show it in one paragraph. */
export const GROUP_DESCRIPTION_LENGTH_MAX = 1024;
/** Prefixes that a name must not have: the name would read as another mention, or as a system group. */
const FORBIDDEN_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const;

/**
 * Normalises a name for storage: unique among all groups, including deactivated ones, regardless of case.
 * @param ownId the group that is renamed
 * @throws Refusal BAD_REQUEST
 */
export function acceptGroupName(directory: Directory, raw: string, ownId?: number): string {
  const name = normalizedName(raw);
  if (name === '') throw badRequest("User group name can't be empty!");
  if (Array.from(name).length > GROUP_NAME_LENGTH_MAX)
    throw badRequest(`User group name cannot exceed ${GROUP_NAME_LENGTH_MAX} characters.`);
  const prefix = FORBIDDEN_PREFIXES.find((one) => name.startsWith(one));
  if (prefix !== undefined) throw badRequest(`User group name cannot start with '${prefix}'.`);
  if (name.includes('*') || hiddenCharacterIn(name) !== -1) throw badRequest('Invalid characters in user group name.');
  const namesake = directory.groupByName(name);
  if (namesake !== undefined && namesake.groupId !== ownId) throw badRequest(`User group '${name}' already exists.`);
  return name;
}

/** @throws Refusal BAD_REQUEST */
export function acceptGroupDescription(description: string): string {
  if (Array.from(description).length > GROUP_DESCRIPTION_LENGTH_MAX)
    throw badRequest(`User group description cannot exceed ${GROUP_DESCRIPTION_LENGTH_MAX} characters.`);
  if (description.includes('\0')) throw badRequest('Invalid character in user group description.');
  return description;
}
