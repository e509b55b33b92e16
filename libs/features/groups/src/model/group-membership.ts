import { IdSet, type ReadonlyIdSet } from '#kernel';
import type { User } from '#users/model';
import { GroupClosures, longestWay, reachable } from './group-closures.js';
import type { Group } from './group.js';
import { hasSystemRole } from './role-membership.js';

/** Whether the user belongs to the group, directly or through its subgroups. */
export type IsMember = (user: User, groupId: number) => boolean;

const NO_IDS: ReadonlyIdSet = new IdSet();

/**
 * Membership in groups through any depth of subgroups. Sets of groups are bitmaps, so membership is one comparison of the groups
 * that list the user with the groups below a group. Those below are cached, and dropped for a group and those above it when its
 * subgroups change. Members and roles are not part of it, so their changes drop nothing.
 */
export class GroupMembership {
  readonly #groups = new Map<number, Group>();
  /** System groups, whose members are derived from roles. */
  readonly #systemGroups: Group[] = [];
  /** By user: the groups that list the user. */
  readonly #groupsOfUser = new Map<number, IdSet>();
  readonly #subgroups = new Map<number, ReadonlyIdSet>();
  /** By subgroup: the groups that list it. */
  readonly #supergroups = new Map<number, IdSet>();
  readonly #closures = new GroupClosures((groupId) => this.#subgroups.get(groupId));

  /** Replaces the group's record. */
  replace(before: Group | undefined, after: Group): void {
    const { groupId } = after;
    this.#groups.set(groupId, after);
    if (before === undefined && after.isSystemGroup) this.#systemGroups.push(after);
    if (before?.directMembers !== after.directMembers)
      relink(this.#groupsOfUser, groupId, before?.directMembers ?? NO_IDS, after.directMembers);
    if (before?.directSubgroups === after.directSubgroups) return;
    const subgroups = IdSet.of(after.directSubgroups);
    relink(this.#supergroups, groupId, this.#subgroups.get(groupId) ?? NO_IDS, subgroups);
    this.#subgroups.set(groupId, subgroups);
    this.#closures.forget(this.idsAbove(groupId));
  }

  /** Whether the user belongs to the group, directly or through its subgroups. */
  isMember(user: User, groupId: number): boolean {
    return this.#belongs(user, this.#closures.of(groupId));
  }

  /** `isMember` as it was while one group had this record. */
  before(earlier: Group): IsMember {
    const subgroups = IdSet.of(earlier.directSubgroups);
    const closures = new GroupClosures((id) => (id === earlier.groupId ? subgroups : this.#subgroups.get(id)));
    const groupsOf = ({ userId }: User): ReadonlyIdSet => {
      const groups = this.#groupsOfUser.get(userId) ?? NO_IDS;
      if (groups.has(earlier.groupId) === earlier.directMembers.has(userId)) return groups;
      return earlier.directMembers.has(userId) ? groups.with([earlier.groupId]) : groups.without([earlier.groupId]);
    };
    return (user, groupId) => this.#belongs(user, closures.of(groupId), groupsOf(user));
  }

  /**
   * Those whom the groups and the groups below them list, and the names of the system groups among these: each group is looked at
   * once, however many of them contain it.
   */
  listedBelow(groupIds: Iterable<number>): { readonly userIds: IdSet; readonly systemGroups: readonly string[] } {
    const below = new IdSet();
    for (const groupId of groupIds) if (!below.has(groupId)) below.addAll(this.#closures.of(groupId));
    const userIds = new IdSet();
    for (const groupId of below) userIds.addAll(this.#groups.get(groupId)?.directMembers ?? NO_IDS);
    const systemGroups = this.#systemGroups.filter(({ groupId }) => below.has(groupId)).map(({ name }) => name);
    return { userIds, systemGroups };
  }

  /** IDs of the group and of all groups below it. */
  idsBelow(groupId: number): ReadonlyIdSet {
    return this.#closures.of(groupId);
  }

  /** IDs of the group and of all groups above it. */
  idsAbove(groupId: number): ReadonlyIdSet {
    return reachable([groupId], (id) => this.#supergroups.get(id));
  }

  /** Number of levels of the deepest of these groups, each with its subgroups, up to a maximum. A system group is one level. */
  levelsBelow(groupIds: Iterable<number>, max: number): number {
    return longestWay(
      groupIds,
      (id) => (this.#groups.get(id)?.isSystemGroup === true ? NO_IDS : this.#subgroups.get(id)),
      max,
    );
  }

  /** Number of levels from the group up to the outermost group above it, up to a maximum. */
  levelsAbove(groupId: number, max: number): number {
    return longestWay([groupId], (id) => this.#supergroups.get(id), max);
  }

  #belongs(
    user: User,
    closure: ReadonlyIdSet,
    groups: ReadonlyIdSet = this.#groupsOfUser.get(user.userId) ?? NO_IDS,
  ): boolean {
    if (groups.intersects(closure)) return true;
    return this.#systemGroups.some(({ groupId, name }) => closure.has(groupId) && hasSystemRole(user, name));
  }
}

/** Updates an index by target with the changed targets of the source. */
function relink(index: Map<number, IdSet>, source: number, before: ReadonlyIdSet, after: ReadonlyIdSet): void {
  for (const target of before.minus(after)) index.get(target)?.delete(source);
  for (const target of after.minus(before)) {
    const sources = index.get(target);
    if (sources === undefined) index.set(target, IdSet.of([source]));
    else sources.add(source);
  }
}
