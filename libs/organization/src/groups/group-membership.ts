import type { User } from '../users/user.js';
import type { Group } from './group.js';
import { hasSystemRole } from './role-membership.js';

/** A group with all groups below it. */
interface Closure {
  readonly groupIds: ReadonlySet<number>;
  /** Names of the system groups among them, whose members are derived from roles. */
  readonly systemGroups: readonly string[];
}

/** Whether the user belongs to the group, directly or through its subgroups. */
export type IsMember = (user: User, groupId: number) => boolean;

const NOTHING: Closure = { groupIds: new Set(), systemGroups: [] };
const NO_IDS: ReadonlySet<number> = new Set();

/**
 * Membership in groups through any depth of subgroups. Per group, the set of groups below it is cached: computed on
 * first use by a walk that visits each group once, even with cycles, and dropped for a group and those above it when
 * its subgroups change. Members and roles are not part of it, so their changes drop nothing.
 */
export class GroupMembership {
  readonly #groups = new Map<number, Group>();
  /** By user: the groups that list the user. */
  readonly #groupsOfUser = new Map<number, Set<number>>();
  /** By subgroup: the groups that list it. */
  readonly #supergroups = new Map<number, Set<number>>();
  readonly #closures = new Map<number, Closure>();

  /** Replaces the group's record. */
  replace(before: Group | undefined, after: Group): void {
    const { groupId } = after;
    this.#groups.set(groupId, after);
    if (before?.directMembers !== after.directMembers)
      relink(this.#groupsOfUser, groupId, before?.directMembers ?? [], after.directMembers);
    if (before?.directSubgroups === after.directSubgroups) return;
    relink(this.#supergroups, groupId, before?.directSubgroups ?? [], after.directSubgroups);
    for (const above of this.idsAbove(groupId)) this.#closures.delete(above);
  }

  /** Whether the user belongs to the group, directly or through its subgroups. */
  isMember(user: User, groupId: number): boolean {
    const { groupIds, systemGroups } = this.#closure(groupId);
    if (systemGroups.some((name) => hasSystemRole(user, name))) return true;
    for (const direct of this.#groupsOfUser.get(user.userId) ?? NO_IDS) if (groupIds.has(direct)) return true;
    return false;
  }

  /** `isMember` as it was while one group had this record. The groups below each group are looked up once. */
  before(earlier: Group): IsMember {
    const closures = new Map<number, Closure>();
    const members = new Set(earlier.directMembers);
    const find = (id: number): Group | undefined => (id === earlier.groupId ? earlier : this.#groups.get(id));
    return (user, groupId) => {
      const closure = closures.get(groupId) ?? closureOf(groupId, find);
      closures.set(groupId, closure);
      const { groupIds, systemGroups } = closure;
      if (systemGroups.some((name) => hasSystemRole(user, name))) return true;
      if (groupIds.has(earlier.groupId) && members.has(user.userId)) return true;
      for (const direct of this.#groupsOfUser.get(user.userId) ?? NO_IDS)
        if (direct !== earlier.groupId && groupIds.has(direct)) return true;
      return false;
    };
  }

  /** IDs of the group and of all groups below it. */
  idsBelow(groupId: number): ReadonlySet<number> {
    return this.#closure(groupId).groupIds;
  }

  /** IDs of the group and of all groups above it. */
  idsAbove(groupId: number): ReadonlySet<number> {
    return walk(groupId, (id) => this.#supergroups.get(id) ?? NO_IDS);
  }

  #closure(groupId: number): Closure {
    let closure = this.#closures.get(groupId);
    if (closure !== undefined) return closure;
    // Unknown groups are not cached, since there are unlimited unknown ids.
    if (!this.#groups.has(groupId)) return NOTHING;
    closure = closureOf(groupId, (id) => this.#groups.get(id));
    this.#closures.set(groupId, closure);
    return closure;
  }
}

function closureOf(groupId: number, find: (id: number) => Group | undefined): Closure {
  const groupIds = walk(groupId, (id) => find(id)?.directSubgroups ?? []);
  const systemGroups: string[] = [];
  for (const id of groupIds) {
    const group = find(id);
    if (group?.isSystemGroup === true) systemGroups.push(group.name);
  }
  return { groupIds, systemGroups };
}

/** All groups reachable from the start, including it, each visited once. */
function walk(start: number, next: (id: number) => Iterable<number>): ReadonlySet<number> {
  // A set may grow while it is iterated: added elements are visited too.
  const reached = new Set([start]);
  for (const id of reached) for (const neighbour of next(id)) reached.add(neighbour);
  return reached;
}

/** Updates an index by target with the changed targets of the source. */
function relink(
  index: Map<number, Set<number>>,
  source: number,
  before: readonly number[],
  after: readonly number[],
): void {
  for (const target of before) index.get(target)?.delete(source);
  for (const target of after) {
    const sources = index.get(target);
    if (sources === undefined) index.set(target, new Set([source]));
    else sources.add(source);
  }
}
