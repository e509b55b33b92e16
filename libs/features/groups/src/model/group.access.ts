import type { DirectoryParts } from '#directory';
import type { User } from '#users/model';
import { usersPart } from '#users/model';
import type { Group } from './group.js';
import { groupsPart } from './groups.part.js';

/**
 * Whether a mention of the group notifies its members: mentions of system groups never do; bots have the permissions of
 * their owners (rules.md §7).
 */
export function mayMentionGroup(directory: DirectoryParts, author: User, group: Group): boolean {
  if (group.isSystemGroup || group.isDeactivated) return false;
  const { can_mention_group: holders } = group.permissions;
  if (directory.of(groupsPart).holds(author, holders)) return true;
  const owner = author.botOwnerId === null ? undefined : directory.of(usersPart).get(author.botOwnerId);
  return owner !== undefined && directory.of(groupsPart).holds(owner, holders);
}
