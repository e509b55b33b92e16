import type { JsonObject } from '#kernel';
import { CHANNEL_PERMISSION_NAMES } from '#channels/model';
import type { Directory } from '#people';
import { REALM_PERMISSION_NAMES } from '#realm/model';
import { GROUP_PERMISSION_NAMES } from './model/group-permissions.js';
import { type GroupSetting, groupsNamedBy } from './model/group-setting.js';

/**
 * Uses of the group that prevent its deactivation (endpoints.md §10): as a subgroup, and in permission settings of
 * channels, groups and the organization. Archived channels and deactivated groups do not count (rules.md §14).
 */
export function usesOfGroup(directory: Directory, groupId: number): JsonObject[] {
  const objections: JsonObject[] = [];
  const groups = [...directory.groups()].filter(({ isDeactivated }) => !isDeactivated);
  const supergroups = groups.filter(({ directSubgroups }) => directSubgroups.includes(groupId));
  if (supergroups.length > 0)
    objections.push({ type: 'subgroup', supergroup_ids: supergroups.map((supergroup) => supergroup.groupId) });
  for (const { channelId, isArchived, permissions } of directory.channels()) {
    const settings = isArchived ? [] : naming(groupId, CHANNEL_PERMISSION_NAMES, (name) => permissions[name]);
    if (settings.length > 0) objections.push({ type: 'channel', channel_id: channelId, settings });
  }
  for (const { groupId: userId, permissions } of groups) {
    const settings = naming(groupId, GROUP_PERMISSION_NAMES, (name) => permissions[name]);
    if (settings.length > 0) objections.push({ type: 'user_group', group_id: userId, settings });
  }
  const settings = naming(groupId, REALM_PERMISSION_NAMES, (name) => directory.permission(name));
  if (settings.length > 0) objections.push({ type: 'realm', settings });
  return objections;
}

/** The settings that name the group. */
function naming<Name extends string>(
  groupId: number,
  names: readonly Name[],
  valueOf: (name: Name) => GroupSetting,
): Name[] {
  return names.filter((name) => groupsNamedBy(valueOf(name)).includes(groupId));
}
