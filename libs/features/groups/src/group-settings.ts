import { badRequest } from '#kernel';
import type { Directory } from '#people';
import { acceptUpdate } from './model/usable-setting.js';
import type { Group } from './model/group.js';
import { type GroupPermission, GROUP_PERMISSION_NAMES, mayNameEveryone } from './model/group-permissions.js';
import { type GroupSetting, groupsNamedBy, isSameSetting } from './model/group-setting.js';
import type { ChangeGroup, CreateGroup } from './groups.commands.js';

type Permissions = Partial<Record<GroupPermission, GroupSetting>>;

/**
 * The permission settings requested for a new group.
 * @throws Refusal BAD_REQUEST
 */
export function acceptNewSettings(directory: Directory, asked: CreateGroup['permissions']): Permissions {
  const accepted: Permissions = {};
  for (const name of GROUP_PERMISSION_NAMES) {
    const value = asked[name];
    if (value === undefined) continue;
    // A new group has no old value to compare with.
    accepted[name] = acceptHolders(directory, name, acceptUpdate(directory, { new: value }, 0));
  }
  return accepted;
}

/** The settings that change. @throws Refusal EXPECTATION_MISMATCH, BAD_REQUEST */
export function acceptSettingChanges(
  directory: Directory,
  group: Group,
  asked: ChangeGroup['permissions'],
): Permissions {
  const changes: Permissions = {};
  for (const name of GROUP_PERMISSION_NAMES) {
    const update = asked[name];
    if (update === undefined) continue;
    const current = group.permissions[name];
    const value = acceptHolders(directory, name, acceptUpdate(directory, update, current));
    if (!isSameSetting(value, current)) changes[name] = value;
  }
  return changes;
}

/**
 * The holders, unless they are a system group that the setting may not be given to (endpoints.md §10, PATCH
 * /user_groups/{id}).
 */
function acceptHolders(directory: Directory, name: GroupPermission, value: GroupSetting): GroupSetting {
  const named = groupsNamedBy(value).map((groupId) => directory.group(groupId)?.name);
  if (!mayNameEveryone(name) && named.includes('role:everyone')) throw unnamable(name, 'role:everyone');
  // Groups that only owners may mention are useless, and clients do not offer them.
  if (name === 'can_mention_group' && typeof value === 'number' && named.includes('role:owners'))
    throw unnamable(name, 'role:owners');
  return value;
}

function unnamable(name: GroupPermission, group: string): Error {
  return badRequest(`'${name}' setting cannot be set to '${group}' group.`);
}
