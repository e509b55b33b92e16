import { badRequest, Refusal, unreachable } from '#kernel';
import type { Directory } from '#people';
import { holdsRealmPermission } from '#realm/model';
import type { User } from '#users/model';
import { assertUsableSetting } from './model/usable-setting.js';
import type { Group } from './model/group.js';
import type { GroupEvent } from './model/group.events.js';
import { newGroupPermissions } from './model/group-permissions.js';
import { shownSetting } from './model/shown-setting.js';
import { acceptNewSettings, acceptSettingChanges } from './group-settings.js';
import { acceptGroupDescription, acceptGroupName } from './group-text.js';
import { usesOfGroup } from './group-uses.js';
import { accessChangeableGroup, assertMayLetIn, assertNoGuest, isOfAuditors, mayManageGroup } from './groups.access.js';
import type { ChangeGroup, CreateGroup, DeactivateGroup, GroupCommand } from './groups.commands.js';
import { acceptMembers, acceptSubgroups, assertLevels, decideMembers, noticesTo } from './members.decider.js';

/** Maximum active groups of an organization, system groups not counted: each client gets all of them. */
export const GROUPS_MAX = 2_000;

/**
 * User groups (endpoints.md §10), in the `organization` stream, with the directory as state.
 * @throws Refusal BAD_REQUEST, EXPECTATION_MISMATCH, UNAUTHORIZED_PRINCIPAL, CANNOT_DEACTIVATE_GROUP_IN_USE
 */
export function decideGroup(directory: Directory, command: GroupCommand): readonly GroupEvent[] {
  switch (command.type) {
    case 'create-group':
      return create(directory, command);
    case 'change-group':
      return change(directory, command);
    case 'deactivate-group':
      return deactivate(directory, command);
    case 'change-members':
      return decideMembers(directory, command);
    default:
      return unreachable(command);
  }
}

function create(directory: Directory, command: CreateGroup): readonly GroupEvent[] {
  const { actor, at } = command;
  assertNoGuest(actor);
  if (!holdsRealmPermission(directory, actor, 'can_create_groups')) throw insufficient();
  const name = acceptGroupName(directory, command.name);
  const description = acceptGroupDescription(command.description);
  const userIds = acceptMembers(directory, command.memberIds);
  assertRoomForGroup(directory);
  // No group refers to a new group, so its subgroups cannot form a cycle.
  const subgroupIds = acceptSubgroups(directory, command.subgroupIds);
  assertLevels(directory, subgroupIds);
  const permissions = {
    ...newGroupPermissions(actor.userId),
    ...acceptNewSettings(directory, command.permissions),
  };
  const groupId = directory.nextGroupId;
  const told = noticesTo(directory, actor, userIds);
  return [
    {
      type: 'group.created.v1',
      data: { groupId, name, description, userIds, subgroupIds, permissions, by: actor.userId, at, ...told },
    },
  ];
}

function change(directory: Directory, command: ChangeGroup): readonly GroupEvent[] {
  const { actor, groupId, deactivated, at } = command;
  const group = manageable(directory, actor, groupId);
  const isEmpty = [command.name, command.description, deactivated, ...Object.values(command.permissions)].every(
    (value) => value === undefined,
  );
  if (isEmpty) throw badRequest('No new data supplied');
  const name = command.name === undefined ? group.name : acceptGroupName(directory, command.name, groupId);
  const description = acceptGroupDescription(command.description ?? group.description);
  const permissions = acceptSettingChanges(directory, group, command.permissions);
  const changes = {
    ...(name === group.name ? {} : { name }),
    ...(description === group.description ? {} : { description }),
    ...(Object.keys(permissions).length === 0 ? {} : { permissions }),
  };
  const done = { groupId, by: actor.userId, at };
  const reactivates = deactivated === false && group.isDeactivated;
  const forOwners = isOfAuditors(directory, groupId) ? ({ entails: 'owners' } as const) : {};
  if (reactivates || Object.keys(permissions).length > 0) assertMayLetIn(directory, actor, group);
  // Groups in its settings may have been deactivated meanwhile, since uses by a deactivated group do not count. Deactivated users in
  // them are no obstacle: they are not shown, and hold nothing.
  if (reactivates) {
    assertRoomForGroup(directory);
    assertLevels(directory, group.directSubgroups, groupId);
    for (const value of Object.values({ ...group.permissions, ...permissions }))
      assertUsableSetting(directory, shownSetting(directory, value));
  }
  return [
    ...(reactivates ? [{ type: 'group.reactivated.v1', data: { ...done, ...forOwners } } as const] : []),
    ...(Object.keys(changes).length === 0
      ? []
      : [{ type: 'group.changed.v1', data: { ...changes, ...done } } as const]),
  ];
}

function deactivate(directory: Directory, { actor, groupId, at }: DeactivateGroup): readonly GroupEvent[] {
  const group = manageable(directory, actor, groupId);
  if (group.isDeactivated) throw badRequest('User group is deactivated.');
  const objections = usesOfGroup(directory, groupId);
  if (objections.length > 0)
    throw new Refusal('CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.', { objections });
  return [{ type: 'group.deactivated.v1', data: { groupId, by: actor.userId, at } }];
}

/** Organizations may have more of them already. */
function assertRoomForGroup(directory: Directory): void {
  if (directory.activeGroupCount >= GROUPS_MAX)
    throw badRequest(`An organization can have at most ${GROUPS_MAX} user groups.`);
}

function manageable(directory: Directory, actor: User, groupId: number): Group {
  const group = accessChangeableGroup(directory, actor, groupId);
  if (!mayManageGroup(directory, actor, group)) throw insufficient();
  return group;
}

function insufficient(): Refusal {
  return badRequest('Insufficient permission');
}
