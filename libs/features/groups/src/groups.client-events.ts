import { Injectable } from '@nestjs/common';
import {
  ClientEvents,
  type Derivations,
  type FeedEntry,
  noClientEvents,
  type Presentable,
  type Recipient,
} from '#feed';
import { ROLE, type UserChanged, type UserEvent } from '#users/model';
import type { Directory } from '#people';
import { GROUP_PERMISSION_NAMES } from './model/group-permissions.js';
import { namesUser } from './model/group-setting.js';
import { systemGroupId } from './model/system-groups.js';
import type { Group } from './model/group.js';
import type { GroupEvent } from './model/group.events.js';
import type { WireEvent, WithoutType } from '#wire';
import { type groupEventSchemas, type WireGroup, wireGroup, wireGroupPermissions } from './wire-group.js';

const FULL_MEMBERS = systemGroupId('role:fullmembers');

type Told = WireEvent<typeof groupEventSchemas>;
type Event = WithoutType<Told>;
type Changed = Extract<GroupEvent, { readonly type: 'group.changed.v1' }>['data'];

/** An event for clients that support deactivated groups, with data for the others. */
interface Body {
  readonly event: Event;
  /** The group was deactivated at that time, so other clients do not know it. */
  readonly isHidden?: boolean;
  /** For a reactivation: the group, which other clients have to receive again. */
  readonly group?: WireGroup;
}

/**
 * Client events about groups (events.md §6). For clients that do not support deactivated groups, a group is removed
 * when it is deactivated, added when it is reactivated, and invisible in between.
 */
@Injectable()
export class GroupClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<GroupEvent | UserEvent> = {
    'user.created.v1': ({ data }, directory) => membership(directory, data.userId, 'add_members'),
    'user.api-key-issued.v1': noClientEvents,
    'user.deactivated.v1': ({ data: { userId } }, directory) => [
      ...membership(directory, userId, 'remove_members'),
      ...settingsNaming(directory, userId),
    ],
    'user.changed.v1': ({ data }, directory) => roleChanged(directory, data),
    'user.email-change-requested.v1': noClientEvents,
    'user.avatar-changed.v1': noClientEvents,
    'user.email-visibility-changed.v1': noClientEvents,
    'user.waiting-changed.v1': ({ data: { over, begun } }, directory) => [
      ...fullMembers(directory, begun, 'remove_members'),
      ...fullMembers(directory, over, 'add_members'),
    ],
    'user.reactivated.v1': ({ data: { userId } }, directory) => [
      ...membership(directory, userId, 'add_members'),
      ...settingsNaming(directory, userId),
    ],
    'group.created.v1': ({ data }, directory) =>
      about(directory, data, (group) => ({ event: { op: 'add', group: wireGroup(directory, group) } })),
    'group.changed.v1': ({ data }, directory) => about(directory, data, (group) => changed(directory, group, data)),
    'group.deactivated.v1': ({ data: { groupId } }) => [
      entry({ event: { op: 'update', group_id: groupId, data: { deactivated: true } } }),
    ],
    'group.reactivated.v1': ({ data }, directory) =>
      about(directory, data, (group) => ({
        event: { op: 'update', group_id: data.groupId, data: { deactivated: false } },
        group: wireGroup(directory, group),
      })),
    'group.members-added.v1': ({ data: { groupId, userIds } }) => [
      entry({ event: { op: 'add_members', group_id: groupId, user_ids: userIds } }),
    ],
    'group.members-removed.v1': ({ data: { groupId, userIds } }) => [
      entry({ event: { op: 'remove_members', group_id: groupId, user_ids: userIds } }),
    ],
    'group.subgroups-added.v1': ({ data: { groupId, subgroupIds } }) => [
      entry({ event: { op: 'add_subgroups', group_id: groupId, direct_subgroup_ids: subgroupIds } }),
    ],
    'group.subgroups-removed.v1': ({ data: { groupId, subgroupIds } }) => [
      entry({ event: { op: 'remove_subgroups', group_id: groupId, direct_subgroup_ids: subgroupIds } }),
    ],
  };
  override readonly types: ReadonlySet<string> = new Set(['user_group']);

  override present({ entry: { body } }: Presentable<Body | Event>, { settings }: Recipient): readonly Told[] {
    // Before groups could be created, entries were the client events themselves.
    if (!isBody(body)) return [{ ...body, type: 'user_group' }];
    const { event, group, isHidden } = body;
    const told: Told = { ...event, type: 'user_group' };
    if (settings.capabilities.includes('include_deactivated_groups')) return [told];
    if (event.op !== 'update') return isHidden === true ? [] : [told];
    const { deactivated } = event.data;
    if (deactivated === true) return [{ type: 'user_group', op: 'remove', group_id: event.group_id }];
    if (deactivated === false && group !== undefined) return [{ type: 'user_group', op: 'add', group }];
    return isHidden === true ? [] : [told];
  }
}

function isBody(body: Body | Event): body is Body {
  return 'event' in body;
}

function entry(body: Body): FeedEntry<Body> {
  return { type: 'user_group', audience: { to: 'everyone' }, body };
}

function about(
  directory: Directory,
  { groupId }: { readonly groupId: number },
  bodyOf: (group: Group) => Body,
): readonly FeedEntry<Body>[] {
  const group = directory.group(groupId);
  return group === undefined ? [] : [entry(bodyOf(group))];
}

/** The groups that list the user while the account is active. */
function membership(directory: Directory, userId: number, op: 'add_members' | 'remove_members'): FeedEntry<Body>[] {
  const user = directory.user(userId);
  if (user === undefined) return [];
  return [...directory.groups()]
    .filter((group) => directory.isDirectMember({ ...user, isActive: true }, group))
    .map(({ groupId, isDeactivated }) =>
      entry({ event: { op, group_id: groupId, user_ids: [userId] }, ...(isDeactivated ? { isHidden: true } : {}) }),
    );
}

/** Permission settings of groups that name the user, who is shown there while the account is active. */
function settingsNaming(directory: Directory, userId: number): FeedEntry<Body>[] {
  const entries: FeedEntry<Body>[] = [];
  for (const group of directory.groups()) {
    const naming = GROUP_PERMISSION_NAMES.filter((name) => namesUser(group.permissions[name], userId));
    if (naming.length === 0) continue;
    const permissions = Object.fromEntries(naming.map((name) => [name, group.permissions[name]]));
    entries.push(entry(changed(directory, group, { permissions })));
  }
  return entries;
}

/** Entries for active members among these users, who have become full members or have ceased to be. */
function fullMembers(
  directory: Directory,
  userIds: readonly number[],
  op: 'add_members' | 'remove_members',
): FeedEntry<Body>[] {
  const members = userIds.filter((userId) => {
    const user = directory.user(userId);
    return user?.isActive === true && user.role === ROLE.member;
  });
  if (members.length === 0) return [];
  return [entry({ event: { op, group_id: FULL_MEMBERS, user_ids: members } })];
}

/** The system groups that list the user by the former role, and by the new one. */
function roleChanged(directory: Directory, { userId, role }: UserChanged['data']): readonly FeedEntry<Body>[] {
  const user = directory.user(userId);
  if (user === undefined || role === undefined) return [];
  const listing = (as: number): Group[] =>
    [...directory.groups()].filter(
      (group) => group.isSystemGroup && directory.isDirectMember({ ...user, role: as }, group),
    );
  const told = (op: 'add_members' | 'remove_members', { groupId }: Group): FeedEntry<Body> =>
    entry({ event: { op, group_id: groupId, user_ids: [userId] } });
  return [
    ...listing(role.from).map((group) => told('remove_members', group)),
    ...listing(role.to).map((group) => told('add_members', group)),
  ];
}

function changed(
  directory: Directory,
  { groupId, isDeactivated }: Group,
  { name, description, permissions = {} }: Omit<Changed, 'groupId' | 'by' | 'at'>,
): Body {
  const data = { name, description, ...wireGroupPermissions(directory, permissions) };
  return { event: { op: 'update', group_id: groupId, data }, ...(isDeactivated ? { isHidden: true } : {}) };
}
