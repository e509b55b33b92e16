import type { Directory } from './directory.js';
import type { Group, User } from './directory.records.js';

/** Whether a mention of the group notifies its members: system groups are only ever named; a bot may what its owner may (rules.md §7). */
export function mayMentionGroup(directory: Directory, author: User, group: Group): boolean {
  if (group.isSystemGroup) return false;
  const { canMentionGroup } = group;
  if (canMentionGroup === undefined || directory.holds(author, canMentionGroup)) return true;
  const owner = author.botOwnerId === null ? undefined : directory.user(author.botOwnerId);
  return owner !== undefined && directory.holds(owner, canMentionGroup);
}
