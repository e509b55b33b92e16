import type { Directory } from '#people';
import {
  described,
  type EventSchemas,
  integer,
  list,
  named,
  nullable,
  object,
  partial,
  text,
  truth,
  type Wire,
} from '#wire';
import type { Group } from './model/group.js';
import { GROUP_PERMISSION_NAMES, type GroupPermission } from './model/group-permissions.js';
import { GroupSettingSchema, type WireGroupSetting } from './model/group-setting.js';
import { wireGroupSetting } from './model/shown-setting.js';

const PERMISSION_FIELDS = Object.fromEntries(
  GROUP_PERMISSION_NAMES.map((name) => [name, GroupSettingSchema]),
) as Record<GroupPermission, typeof GroupSettingSchema>;

export const GroupSchema = named(
  'UserGroup',
  object({
    id: integer,
    name: text,
    description: text,
    date_created: nullable(integer),
    creator_id: nullable(integer),
    is_system_group: truth,
    members: described(list(integer), 'Direct members.'),
    direct_subgroup_ids: list(integer),
    deactivated: truth,
    ...PERMISSION_FIELDS,
  }),
);

export type WireGroup = Wire<typeof GroupSchema>;

const MEMBERS = { group_id: integer, user_ids: list(integer) };
const SUBGROUPS = { group_id: integer, direct_subgroup_ids: list(integer) };

/** Client events about groups (events.md §6). */
export const groupEventSchemas = {
  'user_group/add': { group: GroupSchema },
  'user_group/update': {
    group_id: integer,
    data: object(partial({ name: text, description: text, deactivated: truth, ...PERMISSION_FIELDS })),
  },
  'user_group/add_members': MEMBERS,
  'user_group/remove_members': MEMBERS,
  'user_group/add_subgroups': SUBGROUPS,
  'user_group/remove_subgroups': SUBGROUPS,
  'user_group/remove': { group_id: integer },
} satisfies EventSchemas;

export const groupFieldSchemas = { realm_user_groups: list(GroupSchema) };

/**
 * A group in wire format (endpoints.md §10).
 * @param inactiveIds the deactivated users at an earlier moment
 */
export function wireGroup(directory: Directory, group: Group, inactiveIds = directory.inactiveUserIds): WireGroup {
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
export function wireGroupPermissions<Permissions extends Partial<Group['permissions']>>(
  directory: Directory,
  permissions: Permissions,
  inactiveIds = directory.inactiveUserIds,
): { [Name in keyof Permissions]: WireGroupSetting } {
  const wire: Partial<Record<GroupPermission, WireGroupSetting>> = {};
  for (const name of GROUP_PERMISSION_NAMES) {
    const value = permissions[name];
    if (value !== undefined) wire[name] = wireGroupSetting(directory, value, inactiveIds);
  }
  return wire as { [Name in keyof Permissions]: WireGroupSetting };
}
