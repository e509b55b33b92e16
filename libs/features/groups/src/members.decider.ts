import { badRequest } from '#kernel';
import type { Directory } from '#people';
import type { User } from '#users/model';
import { ascending } from './model/group-setting.js';
import type { Group } from './model/group.js';
import type { GroupEvent } from './model/group.events.js';
import { accessChangeableGroup, assertMayLetIn, isOfAuditors, mayOnGroup } from './groups.access.js';
import type { ChangeMembers } from './groups.commands.js';

/** Maximum users who get a notice each; more would be a flood, as for subscriptions (`max_bulk_new_subscription_messages`). */
export const TOLD_MAX = 100;

/** Maximum levels of groups, from an outermost one to one without subgroups. */
export const LEVELS_MAX = 50;

/**
 * Adds and removes members of a group: all of it or nothing (endpoints.md §10, POST /user_groups/{id}/members and
 * /subgroups).
 * @throws Refusal BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export function decideMembers(directory: Directory, command: ChangeMembers): readonly GroupEvent[] {
  const { actor, groupId, at } = command;
  const group = accessChangeableGroup(directory, actor, groupId);
  const [addIds, removeIds] = [ascending(command.addIds), ascending(command.removeIds)];
  const [addSubgroupIds, removeSubgroupIds] = [ascending(command.addSubgroupIds), ascending(command.removeSubgroupIds)];
  if ([addIds, removeIds, addSubgroupIds, removeSubgroupIds].every(({ length }) => length === 0))
    throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
  assertMayChange(directory, actor, group, [addIds, addSubgroupIds], 'can_add_members_group', 'can_join_group');
  assertMayChange(
    directory,
    actor,
    group,
    [removeIds, removeSubgroupIds],
    'can_remove_members_group',
    'can_leave_group',
  );
  if (group.isDeactivated) throw badRequest('User group is deactivated.');
  if (addIds.length > 0 || addSubgroupIds.length > 0) assertMayLetIn(directory, actor, group);
  assertNewMembers(directory, group, addIds);
  // Deactivated users are members of no group until they are reactivated.
  const noMember = acceptMembers(directory, removeIds).find((userId) => !group.directMembers.has(userId));
  if (noMember !== undefined) throw badRequest(`There is no member '${noMember}' in this user group`);
  assertNewSubgroups(directory, group, addSubgroupIds);
  const noSubgroup = removeSubgroupIds.find((id) => !group.directSubgroups.includes(id));
  if (noSubgroup !== undefined) throw badRequest(`User group ${noSubgroup} is not a subgroup of this group.`);
  const done = { groupId, by: actor.userId, at };
  const forOwners = isOfAuditors(directory, groupId) ? ({ entails: 'owners' } as const) : {};
  const events: GroupEvent[] = [];
  if (addIds.length > 0) {
    const told = noticesTo(directory, actor, addIds);
    const both = 'entails' in told && 'entails' in forOwners ? ({ entails: 'notices and owners' } as const) : {};
    events.push({ type: 'group.members-added.v1', data: { ...done, userIds: addIds, ...forOwners, ...told, ...both } });
  }
  if (removeIds.length > 0) {
    const told = noticesTo(directory, actor, removeIds);
    events.push({ type: 'group.members-removed.v1', data: { ...done, userIds: removeIds, ...told } });
  }
  if (addSubgroupIds.length > 0)
    events.push({ type: 'group.subgroups-added.v1', data: { ...done, subgroupIds: addSubgroupIds, ...forOwners } });
  if (removeSubgroupIds.length > 0)
    events.push({ type: 'group.subgroups-removed.v1', data: { ...done, subgroupIds: removeSubgroupIds } });
  return events;
}

/**
 * Users who can be members of a group, ascending.
 * @throws Refusal BAD_REQUEST
 */
export function acceptMembers(directory: Directory, userIds: readonly number[]): number[] {
  for (const userId of userIds) {
    const user = directory.user(userId);
    if (user?.isActive !== true || user.systemBot !== undefined) throw badRequest(`Invalid user ID: ${userId}`);
  }
  return ascending(userIds);
}

/**
 * Groups that can be subgroups, ascending.
 * @throws Refusal BAD_REQUEST
 */
export function acceptSubgroups(directory: Directory, groupIds: readonly number[]): number[] {
  for (const groupId of groupIds) {
    const group = directory.group(groupId);
    if (group === undefined || group.name === 'role:internet') throw badRequest(`Invalid user group ID: ${groupId}`);
    if (group.isDeactivated) throw badRequest('User group is deactivated.');
  }
  return ascending(groupIds);
}

/**
 * Requires that a group and those above it, together with these subgroups, are not too many levels. Deactivated groups count:
 * they keep their subgroups.
 * @param groupId `undefined` for a new group
 * @throws Refusal BAD_REQUEST
 */
export function assertLevels(directory: Directory, subgroupIds: readonly number[], groupId?: number): void {
  if (subgroupIds.length === 0) return;
  const above = groupId === undefined ? 1 : directory.groupLevelsAbove(groupId, LEVELS_MAX);
  if (above + directory.groupLevelsBelow(subgroupIds, LEVELS_MAX) > LEVELS_MAX)
    throw badRequest(`User groups can be nested at most ${LEVELS_MAX} levels deep.`);
}

/**
 * Whether the notification bot tells the added or removed users: when they are humans, not the actor, and not too many.
 */
export function noticesTo(
  directory: Directory,
  actor: User,
  userIds: readonly number[],
): { readonly entails?: 'notices' } {
  const told = toldOf(directory, actor.userId, userIds);
  return told.length === 0 || told.length > TOLD_MAX ? {} : { entails: 'notices' };
}

/** Recipients of notices: active humans other than the actor. */
export function toldOf(directory: Directory, actorId: number, userIds: readonly number[]): number[] {
  return userIds.filter((userId) => {
    const user = directory.user(userId);
    return userId !== actorId && user?.isActive === true && user.botType === null;
  });
}

/** @param own the permission that suffices for the actor's own membership */
function assertMayChange(
  directory: Directory,
  actor: User,
  group: Group,
  [userIds, subgroupIds]: readonly [readonly number[], readonly number[]],
  permission: 'can_add_members_group' | 'can_remove_members_group',
  own: 'can_join_group' | 'can_leave_group',
): void {
  const changesOthers = subgroupIds.length > 0 || userIds.some((userId) => userId !== actor.userId);
  if (changesOthers && !mayOnGroup(directory, actor, group, permission)) throw insufficient();
  const changesOwn = userIds.includes(actor.userId);
  if (changesOwn && !mayOnGroup(directory, actor, group, own, permission)) throw insufficient();
}

function assertNewMembers(directory: Directory, group: Group, userIds: readonly number[]): void {
  const member = acceptMembers(directory, userIds).find((userId) => group.directMembers.has(userId));
  if (member !== undefined) throw badRequest(`User ${member} is already a member of this group`);
}

function assertNewSubgroups(directory: Directory, group: Group, subgroupIds: readonly number[]): void {
  const { groupId, directSubgroups } = group;
  for (const id of acceptSubgroups(directory, subgroupIds)) {
    if (directSubgroups.includes(id)) throw badRequest(`User group ${id} is already a subgroup of this group.`);
    if (directory.groupIdsBelow(id).has(groupId))
      throw badRequest(`User group ${groupId} is already a subgroup of one of the passed subgroups.`);
  }
  assertLevels(directory, subgroupIds, groupId);
}

function insufficient(): Error {
  return badRequest('Insufficient permission');
}
