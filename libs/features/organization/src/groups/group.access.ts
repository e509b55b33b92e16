import type { Directory } from '../directory/directory.js';
import type { User } from '../users/user.js';
import type { Group } from './group.js';

/**
 * Whether a mention of the group notifies its members: mentions of system groups never do; bots have the permissions of
 * their owners (rules.md §7).
 */
export function mayMentionGroup(directory: Directory, author: User, group: Group): boolean {
  if (group.isSystemGroup || group.isDeactivated) return false;
  const { can_mention_group: holders } = group.permissions;
  if (directory.holds(author, holders)) return true;
  const owner = author.botOwnerId === null ? undefined : directory.user(author.botOwnerId);
  return owner !== undefined && directory.holds(owner, holders);
}
