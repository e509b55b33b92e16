import type { Directory } from '../directory/directory.js';
import type { GroupSetting } from './group-setting.js';
import { hasSystemRole } from './role-membership.js';
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
 * The smallest system group that contains all holders of this permission. Iterates over all users unless the permission
 * names a system group.
 */
export function smallestSystemGroup(directory: Directory, setting: GroupSetting): SystemGroupName {
  const named = SYSTEM_GROUPS.find(({ groupId }) => groupId === setting);
  if (named !== undefined) return named.name;
  const holders = [...directory.users()].filter((user) => directory.holds(user, setting));
  if (holders.length === 0) return 'role:nobody';
  return CHAIN.find((name) => holders.every((user) => hasSystemRole(user, name))) ?? 'role:everyone';
}
