import { IdSet } from '#kernel';
import type { DirectoryParts } from '#directory';
import type { User } from '#users/model';
import { usersPart } from '#users/model';
import { type GroupSetting, groupsNamedBy } from './group-setting.js';
import { hasSystemRole } from './role-membership.js';
import { SYSTEM_GROUPS, type SystemGroupName } from './system-groups.js';
import { groupsPart } from './groups.part.js';

/** From the smallest to the largest. */
const CHAIN: readonly SystemGroupName[] = [
  'role:owners',
  'role:administrators',
  'role:moderators',
  'role:fullmembers',
  'role:members',
];

/** The smallest system group that contains all holders of this permission. */
export function smallestSystemGroup(directory: DirectoryParts, setting: GroupSetting): SystemGroupName {
  const named = SYSTEM_GROUPS.find(({ groupId }) => groupId === setting);
  if (named !== undefined) return named.name;
  const holders = holdersOf(directory, setting);
  if (holders.length === 0) return 'role:nobody';
  return CHAIN.find((name) => holders.every((user) => hasSystemRole(user, name))) ?? 'role:everyone';
}

function holdersOf(directory: DirectoryParts, setting: GroupSetting): User[] {
  const members = typeof setting === 'number' ? [] : setting.directMembers;
  const userIds = IdSet.of(directory.of(groupsPart).memberIds(groupsNamedBy(setting))).with(members);
  return Array.from(userIds, (userId) => directory.of(usersPart).get(userId)).filter(
    (user) => user?.isActive === true,
  ) as User[];
}
