import type { JsonObject } from '#kernel';
import { type Directory, type Group, GROUP_PERMISSION_NAMES, wireGroupSetting } from '#organization';

/**
 * A group in wire format (endpoints.md §10).
 * @param inactiveIds the deactivated users at an earlier moment
 */
export function wireGroup(directory: Directory, group: Group, inactiveIds = directory.inactiveUserIds): JsonObject {
  return {
    id: group.groupId,
    name: group.name,
    description: group.description,
    date_created: group.createdAt,
    creator_id: group.creatorId,
    is_system_group: group.isSystemGroup,
    members: directory.directMemberIds(group, inactiveIds),
    direct_subgroup_ids: [...group.directSubgroups],
    deactivated: group.isDeactivated,
    ...wireGroupPermissions(directory, group.permissions, inactiveIds),
  };
}

/** Permission settings in wire format: all of a group, or those that changed. */
export function wireGroupPermissions(
  directory: Directory,
  permissions: Partial<Group['permissions']>,
  inactiveIds = directory.inactiveUserIds,
): JsonObject {
  const wire: Record<string, JsonObject[string]> = {};
  for (const name of GROUP_PERMISSION_NAMES) {
    const value = permissions[name];
    if (value !== undefined) wire[name] = wireGroupSetting(directory, value, inactiveIds);
  }
  return wire;
}
