import type { GroupSetting } from './group-setting.js';
import { systemGroupId, type SystemGroupName } from './system-groups.js';

/** Permission settings of user groups, with their defaults in a new group. */
export const GROUP_PERMISSIONS = {
  can_add_members_group: 'creator',
  can_join_group: 'role:nobody',
  can_leave_group: 'role:everyone',
  can_manage_group: 'creator',
  can_mention_group: 'role:everyone',
  can_remove_members_group: 'role:nobody',
} as const satisfies Record<string, SystemGroupName | 'creator'>;

export type GroupPermission = keyof typeof GROUP_PERMISSIONS;

export const GROUP_PERMISSION_NAMES = Object.keys(GROUP_PERMISSIONS) as readonly GroupPermission[];

/** Whether the setting may be given to `role:everyone`, guests included. */
export function mayNameEveryone(name: GroupPermission): boolean {
  return GROUP_PERMISSIONS[name] === 'role:everyone';
}

/** The permission settings of a new group. */
export function newGroupPermissions(creatorId: number): Record<GroupPermission, GroupSetting> {
  const creator: GroupSetting = { directMembers: [creatorId], directSubgroups: [] };
  return permissionsOf((holder) => (holder === 'creator' ? creator : systemGroupId(holder)));
}

/** Permission settings of system groups, which cannot be changed. */
export const SYSTEM_GROUP_PERMISSIONS: Readonly<Record<GroupPermission, GroupSetting>> = permissionsOf(() =>
  systemGroupId('role:nobody'),
);

function permissionsOf(
  holdersOf: (holder: SystemGroupName | 'creator') => GroupSetting,
): Record<GroupPermission, GroupSetting> {
  const entries = GROUP_PERMISSION_NAMES.map((name) => [name, holdersOf(GROUP_PERMISSIONS[name])] as const);
  return Object.fromEntries(entries) as Record<GroupPermission, GroupSetting>;
}
