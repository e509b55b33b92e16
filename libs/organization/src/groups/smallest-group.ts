import type { Directory } from '../directory/directory.js';
import type { GroupSetting } from './group-setting.js';
import { hasSystemRole } from './role-membership.js';
import type { User } from '../users/user.js';
import { SYSTEM_GROUPS, type SystemGroupName } from './system-groups.js';

/** From the smallest to the largest. */
const CHAIN: readonly SystemGroupName[] = [
  'role:owners',
  'role:administrators',
  'role:moderators',
  'role:fullmembers',
  'role:members',
];

/**
 * The smallest system group that contains all holders of this permission. Iterates over all users only when system groups
 * are among others.
 */
export function smallestSystemGroup(directory: Directory, setting: GroupSetting): SystemGroupName {
  const named = SYSTEM_GROUPS.find(({ groupId }) => groupId === setting);
  if (named !== undefined) return named.name;
  const holders = holdersOf(directory, setting);
  if (holders.length === 0) return 'role:nobody';
  return CHAIN.find((name) => holders.every((user) => hasSystemRole(user, name))) ?? 'role:everyone';
}

function holdersOf(directory: Directory, setting: GroupSetting): User[] {
  const isOneGroup = typeof setting === 'number';
  const groupIds = new Set<number>();
  for (const groupId of isOneGroup ? [setting] : setting.directSubgroups)
    for (const below of directory.groupIdsBelow(groupId)) groupIds.add(below);
  const userIds = new Set(isOneGroup ? [] : setting.directMembers);
  for (const groupId of groupIds) {
    const group = directory.group(groupId);
    if (group?.isSystemGroup === true) return [...directory.users()].filter((user) => directory.holds(user, setting));
    for (const userId of group?.directMembers ?? []) userIds.add(userId);
  }
  return [...userIds].flatMap((userId) => directory.user(userId) ?? []).filter(({ isActive }) => isActive);
}
