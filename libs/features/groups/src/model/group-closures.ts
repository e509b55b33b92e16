import { IdSet, type ReadonlyIdSet } from '#kernel';

const NO_IDS: ReadonlyIdSet = new IdSet();

/**
 * Per group, the set of the group and of all groups below it, computed on first use. What it takes from is known afterwards, so
 * that two thousand nested groups cost little more than one.
 */
export class GroupClosures {
  readonly #known = new Map<number, ReadonlyIdSet>();

  /** @param subgroupsOf the direct subgroups; `undefined` for an unknown group */
  constructor(private readonly subgroupsOf: (groupId: number) => ReadonlyIdSet | undefined) {}

  of(groupId: number): ReadonlyIdSet {
    const known = this.#known.get(groupId);
    if (known !== undefined) return known;
    // Unknown groups are not kept, since there are unlimited unknown IDs.
    if (this.subgroupsOf(groupId) === undefined) return NO_IDS;
    for (const below of this.#lowestFirst(groupId)) this.#known.set(below, this.#closureOf(below));
    return this.#known.get(groupId) ?? NO_IDS;
  }

  /** Forgets the closures of these groups. */
  forget(groupIds: Iterable<number>): void {
    for (const groupId of groupIds) this.#known.delete(groupId);
  }

  /** The group and the groups below it that are not known yet, subgroups before those that list them. */
  #lowestFirst(groupId: number): number[] {
    const order: number[] = [];
    const seen = IdSet.of([groupId]);
    const path = [groupId];
    for (let id = path.at(-1); id !== undefined; id = path.at(-1)) {
      const next = this.#direct(id).firstNotIn(seen);
      if (next === undefined) {
        order.push(id);
        path.pop();
        continue;
      }
      seen.add(next);
      if (!this.#known.has(next)) path.push(next);
    }
    return order;
  }

  #closureOf(groupId: number): ReadonlyIdSet {
    const direct = this.#direct(groupId);
    const closure = IdSet.of([groupId]);
    for (let id = direct.firstNotIn(closure); id !== undefined; id = direct.firstNotIn(closure, id + 1)) {
      const below = this.#known.get(id);
      // Only in a cycle, which commands refuse.
      if (below === undefined) return reachable([groupId], (one) => this.#direct(one));
      closure.addAll(below);
    }
    return closure;
  }

  #direct(groupId: number): ReadonlyIdSet {
    return this.subgroupsOf(groupId) ?? NO_IDS;
  }
}

/** All groups that can be reached from these, including them; each is looked at once. */
export function reachable(
  start: Iterable<number>,
  next: (groupId: number) => ReadonlyIdSet | undefined,
): ReadonlyIdSet {
  const reached = IdSet.of(start);
  const pending = [...reached];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const fresh = (next(id) ?? NO_IDS).minus(reached);
    if (fresh.isEmpty) continue;
    reached.addAll(fresh);
    pending.push(...fresh);
  }
  return reached;
}

/** Number of groups on the longest way from one of these, up to a maximum. */
export function longestWay(
  start: Iterable<number>,
  next: (groupId: number) => ReadonlyIdSet | undefined,
  max: number,
): number {
  let level = IdSet.of(start);
  for (let length = 0; length < max; length++) {
    if (level.isEmpty) return length;
    const following = new IdSet();
    for (const id of level) following.addAll(next(id) ?? NO_IDS);
    level = following;
  }
  return max;
}
