import { badRequest } from '#kernel';
import { assertOwner, ROLE, type User } from '#users/model';
import type { Directory } from '#people';
import { holdsRealmPermission } from '#realm/model';
import type { Group } from './model/group.js';
import type { GroupPermission } from './model/group-permissions.js';
import { groupsNamedBy } from './model/group-setting.js';

/** Group routes other than the list of all groups are closed to guests, even if a setting names them (rules.md §14). */
export function assertNoGuest(viewer: User): void {
  if (viewer.role >= ROLE.guest) throw badRequest('Not allowed for guest users');
}

/**
 * The group, for reading its members.
 * @throws Refusal BAD_REQUEST
 */
export function accessGroup(directory: Directory, viewer: User, groupId: number): Group {
  assertNoGuest(viewer);
  const group = directory.group(groupId);
  if (group === undefined) throw badRequest('Invalid user group');
  return group;
}

/**
 * The group, for changing it: system groups cannot be changed.
 * @throws Refusal BAD_REQUEST
 */
export function accessChangeableGroup(directory: Directory, actor: User, groupId: number): Group {
  const group = accessGroup(directory, actor, groupId);
  if (group.isSystemGroup) throw badRequest('System groups cannot be changed.');
  return group;
}

/** A user who may manage a group has its other permissions too. */
export function mayManageGroup(directory: Directory, actor: User, group: Group): boolean {
  if (holdsRealmPermission(directory, actor, 'can_manage_all_groups')) return true;
  return directory.holds(actor, group.permissions.can_manage_group);
}

/**
 * Only owners decide who may audit, so that they alone let others into a group that may, change who lets them in, or reactivate it.
 * @throws Refusal UNAUTHORIZED_PRINCIPAL
 */
export function assertMayLetIn(directory: Directory, actor: User, { groupId }: Group): void {
  if (isOfAuditors(directory, groupId)) assertOwner(actor);
}

/** Whether members of the group may audit, by the group or by one above it. */
export function isOfAuditors(directory: Directory, groupId: number): boolean {
  const above = directory.groupIdsAbove(groupId);
  return groupsNamedBy(directory.permission('can_audit_group')).some((id) => above.has(id));
}

/** Whether the actor may manage the group or holds one of these permissions on it. */
export function mayOnGroup(
  directory: Directory,
  actor: User,
  group: Group,
  ...permissions: readonly GroupPermission[]
): boolean {
  if (mayManageGroup(directory, actor, group)) return true;
  return permissions.some((name) => directory.holds(actor, group.permissions[name]));
}
