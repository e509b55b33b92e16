import { IdSet, type PackedIds, type ReadonlyIdSet } from '#kernel';
import { nameKey, type UserBook, type User } from '#users/model';
import type { Handlers } from '#directory';
import { GroupMembership, type IsMember } from './group-membership.js';
import { type GroupPermission, SYSTEM_GROUP_PERMISSIONS } from './group-permissions.js';
import { ascending, type GroupSetting } from './group-setting.js';
import type { Group } from './group.js';
import type { GroupEvent } from './group.events.js';
import { directSystemGroups, hasSystemRole } from './role-membership.js';

const SYSTEM_GROUP = {
  isDeactivated: false,
  creatorId: null,
  createdAt: null,
  permissions: SYSTEM_GROUP_PERMISSIONS,
} as const;

/** A group in a snapshot; snapshots from before groups could be created lack some fields. */
export type GroupRecord = Omit<Group, keyof typeof SYSTEM_GROUP | 'directMembers'> &
  Partial<Pick<Group, keyof typeof SYSTEM_GROUP>> & { readonly directMembers: PackedIds };

/** Creates the organization, with its system groups. */
interface OrganizationCreated {
  readonly type: 'organization.created.v1';
  readonly data: { readonly groups: readonly Pick<Group, 'groupId' | 'name' | 'description' | 'directSubgroups'>[] };
}

/** Groups of the organization and their members; a part of the directory. Records are replaced, never mutated. */
export class GroupBook {
  readonly #groups = new Map<number, Group>();
  /** By name in lower case. */
  readonly #idsByName = new Map<string, number>();
  readonly #membership = new GroupMembership();
  #activeCount = 0;
  readonly #isMember: IsMember = (user, groupId) => this.#membership.isMember(user, groupId);

  constructor(private readonly users: UserBook) {}

  readonly on: Handlers<OrganizationCreated | GroupEvent> = {
    'organization.created.v1': ({ data: { groups } }) => {
      for (const group of groups)
        this.#put({ ...SYSTEM_GROUP, ...group, isSystemGroup: true, directMembers: new IdSet() });
    },
    'group.created.v1': ({ data }) => {
      const { groupId, name, description, by, at } = data;
      this.#put({
        groupId,
        name,
        description,
        isSystemGroup: false,
        isDeactivated: false,
        creatorId: by,
        createdAt: at,
        directMembers: IdSet.of(data.userIds),
        directSubgroups: ascending(data.subgroupIds),
        permissions: data.permissions as Record<GroupPermission, GroupSetting>,
      });
    },
    'group.changed.v1': ({ data }) => {
      const { groupId, name, description, permissions } = data;
      const group = this.#existing(groupId);
      this.#put({
        ...group,
        name: name ?? group.name,
        description: description ?? group.description,
        permissions: { ...group.permissions, ...permissions },
      });
    },
    'group.deactivated.v1': ({ data }) => {
      this.#put({ ...this.#existing(data.groupId), isDeactivated: true });
    },
    'group.reactivated.v1': ({ data }) => {
      this.#put({ ...this.#existing(data.groupId), isDeactivated: false });
    },
    'group.members-added.v1': ({ data }) => {
      const group = this.#existing(data.groupId);
      this.#put({ ...group, directMembers: group.directMembers.with(data.userIds) });
    },
    'group.members-removed.v1': ({ data }) => {
      const group = this.#existing(data.groupId);
      this.#put({ ...group, directMembers: group.directMembers.without(data.userIds) });
    },
    'group.subgroups-added.v1': ({ data }) => {
      const group = this.#existing(data.groupId);
      this.#put({ ...group, directSubgroups: ascending([...group.directSubgroups, ...data.subgroupIds]) });
    },
    'group.subgroups-removed.v1': ({ data }) => {
      const group = this.#existing(data.groupId);
      this.#put({ ...group, directSubgroups: without(group.directSubgroups, data.subgroupIds) });
    },
  };

  get(groupId: number): Group | undefined {
    return this.#groups.get(groupId);
  }

  byName(name: string): Group | undefined {
    const groupId = this.#idsByName.get(nameKey(name));
    return groupId === undefined ? undefined : this.#groups.get(groupId);
  }

  all(): IterableIterator<Group> {
    return this.#groups.values();
  }

  get nextId(): number {
    return this.#groups.size + 1;
  }

  /** Number of groups that users created and that are not deactivated. */
  get activeCount(): number {
    return this.#activeCount;
  }

  /** Whether the user holds the permission, through any depth of groups. Deactivated users hold none. */
  holds(user: User, setting: GroupSetting): boolean {
    return holdsBy(this.#isMember, user, setting);
  }

  /** `holds` as it was while one group had this record. */
  holdsBefore(earlier: Group): (user: User, setting: GroupSetting) => boolean {
    const isMember = this.#membership.before(earlier);
    return (user, setting) => holdsBy(isMember, user, setting);
  }

  isMember(user: User, groupId: number): boolean {
    return this.#membership.isMember(user, groupId);
  }

  /** IDs of the members of any of these groups, ascending, without deactivated users. */
  memberIds(groupIds: Iterable<number>): number[] {
    const { userIds, systemGroups } = this.#membership.listedBelow(groupIds);
    if (systemGroups.length > 0)
      for (const user of this.users.all())
        if (user.systemBot === undefined && systemGroups.some((name) => hasSystemRole(user, name)))
          userIds.add(user.userId);
    return userIds.minus(this.users.inactiveIds).toArray();
  }

  idsBelow(groupId: number): ReadonlyIdSet {
    return this.#membership.idsBelow(groupId);
  }

  idsAbove(groupId: number): ReadonlyIdSet {
    return this.#membership.idsAbove(groupId);
  }

  levelsBelow(groupIds: Iterable<number>, max: number): number {
    return this.#membership.levelsBelow(groupIds, max);
  }

  levelsAbove(groupId: number, max: number): number {
    return this.#membership.levelsAbove(groupId, max);
  }

  directMemberIds(group: Group, inactiveIds = this.users.inactiveIds): number[] {
    if (!group.isSystemGroup) return group.directMembers.minus(inactiveIds).toArray();
    const ids: number[] = [];
    for (const user of this.users.all()) if (this.isDirectMember(user, group)) ids.push(user.userId);
    return ids;
  }

  isDirectMember(user: User, group: Group): boolean {
    if (!user.isActive) return false;
    if (!group.isSystemGroup) return group.directMembers.has(user.userId);
    return user.systemBot === undefined && directSystemGroups(user).includes(group.name);
  }

  snapshot(): readonly GroupRecord[] {
    return Array.from(this.#groups.values(), (group) => ({ ...group, directMembers: group.directMembers.pack() }));
  }

  /** Fills an empty book. */
  restore(groups: readonly GroupRecord[] = []): void {
    for (const group of groups)
      this.#put({ ...SYSTEM_GROUP, ...group, directMembers: IdSet.unpack(group.directMembers) });
  }

  #put(group: Group): void {
    const before = this.#groups.get(group.groupId);
    this.#membership.replace(before, group);
    this.#activeCount += countedActive(group) - countedActive(before);
    this.#groups.set(group.groupId, group);
    if (before !== undefined) this.#idsByName.delete(nameKey(before.name));
    this.#idsByName.set(nameKey(group.name), group.groupId);
  }

  #existing(groupId: number): Group {
    const group = this.#groups.get(groupId);
    if (group === undefined) throw new Error(`There is no group ${groupId}.`);
    return group;
  }
}

function holdsBy(isMember: IsMember, user: User, setting: GroupSetting): boolean {
  if (!user.isActive) return false;
  if (typeof setting === 'number') return isMember(user, setting);
  return namedBy(setting).has(user.userId) || setting.directSubgroups.some((groupId) => isMember(user, groupId));
}

/** The users whom a setting names, by the setting: settings are replaced, never mutated. */
const named = new WeakMap<object, ReadonlyIdSet>();

function namedBy(setting: Exclude<GroupSetting, number>): ReadonlyIdSet {
  let ids = named.get(setting);
  if (ids === undefined) named.set(setting, (ids = IdSet.of(setting.directMembers)));
  return ids;
}

function countedActive(group: Group | undefined): number {
  return group === undefined || group.isSystemGroup || group.isDeactivated ? 0 : 1;
}

function without(ids: readonly number[], removed: readonly number[]): number[] {
  const gone = new Set(removed);
  return ids.filter((id) => !gone.has(id));
}
