import fc from 'fast-check';
import { IdSet } from '#kernel';
import { rounds, sampleUser, sized } from '#testing';
import { type User, ROLE } from '#users/model';
import { GroupClosures } from './group-closures.js';
import { GroupMembership } from './group-membership.js';
import { SYSTEM_GROUP_PERMISSIONS } from './group-permissions.js';
import type { Group } from './group.js';
import { SYSTEM_GROUPS } from './system-groups.js';

const BASE: Group = {
  groupId: 0,
  name: '',
  description: '',
  isSystemGroup: false,
  isDeactivated: false,
  creatorId: null,
  createdAt: null,
  permissions: SYSTEM_GROUP_PERMISSIONS,
  directMembers: new IdSet(),
  directSubgroups: [],
};
const SIZE = 8;
const USERS = Array.from({ length: SIZE }, (_, index) => sampleUser(index + 1));
const idsOf = (users: readonly User[]): ReadonlySet<number> => new Set(users.map(({ userId }) => userId));

const ids = fc.uniqueArray(fc.integer({ min: 1, max: SIZE }), { maxLength: 4 });
const change = fc.record({
  groupId: fc.integer({ min: 1, max: SIZE }),
  directMembers: ids.map((listed) => IdSet.of(listed)),
  directSubgroups: ids,
});

/** Members of the group, computed by repeating until nothing is added. */
function naiveMembers(groups: ReadonlyMap<number, Group>, groupId: number): ReadonlySet<number> {
  let reached = new Set([groupId]);
  for (;;) {
    const more = new Set([...reached].flatMap((id) => [id, ...(groups.get(id)?.directSubgroups ?? [])]));
    if (more.size === reached.size) break;
    reached = more;
  }
  return new Set([...reached].flatMap((id) => [...(groups.get(id)?.directMembers ?? [])]));
}

test('membership is the transitive closure on any graph, cycles included, after each change and as it was before it', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const membership = new GroupMembership();
      const groups = new Map<number, Group>();
      for (const one of changes) {
        const group = { ...BASE, ...one };
        const earlier = groups.get(one.groupId);
        const before = new Map(groups);
        membership.replace(earlier, group);
        groups.set(one.groupId, group);
        const wasMember = membership.before(earlier ?? { ...BASE, groupId: one.groupId });
        for (let groupId = 1; groupId <= SIZE; groupId++) {
          const found = USERS.filter((user) => membership.isMember(user, groupId));
          const foundBefore = USERS.filter((user) => wasMember(user, groupId));
          expect([found, foundBefore].map(idsOf)).toEqual([
            naiveMembers(groups, groupId),
            naiveMembers(before, groupId),
          ]);
        }
      }
    }),
    { numRuns: rounds(sized({ nightly: 200, usual: 50 })) },
  );
});

test('a system group as a subgroup adds all users of its role and of its subgroups', () => {
  const membership = new GroupMembership();
  for (const group of SYSTEM_GROUPS) membership.replace(undefined, { ...BASE, ...group, isSystemGroup: true });
  membership.replace(undefined, { ...BASE, groupId: 20, directSubgroups: [3], directMembers: IdSet.of([7]) });
  const isMember = (userId: number, role: number) => membership.isMember(sampleUser(userId, { role }), 20);
  expect([ROLE.owner, ROLE.moderator, ROLE.member].map((role) => isMember(1, role))).toEqual([true, true, false]);
  expect(isMember(7, ROLE.guest)).toBe(true);
});

test('who is listed below groups is the union of their members, deepest levels counted', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), ids, (changes, asked) => {
      const membership = new GroupMembership();
      const groups = new Map<number, Group>();
      for (const one of changes) {
        membership.replace(groups.get(one.groupId), { ...BASE, ...one });
        groups.set(one.groupId, { ...BASE, ...one });
      }
      const expected = new Set(asked.flatMap((groupId) => [...naiveMembers(groups, groupId)]));
      expect(new Set(membership.listedBelow(asked).userIds)).toEqual(expected);
    }),
    { numRuns: rounds(sized({ nightly: 100, usual: 30 })) },
  );
});

test('each group below is looked at once, however many ways lead to it, and is known afterwards', () => {
  // Each of 200 groups has all later ones as subgroups: there are 2^198 paths from the first to the last.
  const count = 200;
  const below = Array.from({ length: count }, (_, index) =>
    IdSet.of(Array.from({ length: count - index - 1 }, (_unused, more) => index + 2 + more)),
  );
  const looks = new Map<number, number>();
  const closures = new GroupClosures((groupId) => {
    looks.set(groupId, (looks.get(groupId) ?? 0) + 1);
    return below[groupId - 1];
  });
  expect(closures.of(1).size).toBe(count);
  const looked = [...looks.values()].reduce((total, times) => total + times, 0);
  // One look on the way down, one on the way up, and one for the closure itself.
  expect(looked).toBeLessThanOrEqual(3 * count + 1);
  looks.clear();
  expect(Array.from({ length: count }, (_, index) => closures.of(index + 1).size)).toEqual(
    Array.from({ length: count }, (_, index) => count - index),
  );
  expect(looks.size).toBe(0);
});

test('levels are counted along the longest way, up to a maximum, and a system group is one', () => {
  const membership = new GroupMembership();
  for (const group of SYSTEM_GROUPS)
    membership.replace(undefined, {
      ...BASE,
      ...group,
      directSubgroups: [...group.directSubgroups],
      isSystemGroup: true,
    });
  const chain = [20, 21, 22, 23];
  for (const groupId of chain)
    membership.replace(undefined, { ...BASE, groupId, directSubgroups: groupId < 23 ? [23, groupId + 1] : [6] });
  expect(chain.map((groupId) => membership.levelsBelow([groupId], 50))).toEqual([5, 4, 3, 2]);
  expect(chain.map((groupId) => membership.levelsAbove(groupId, 50))).toEqual([1, 2, 3, 4]);
  expect([membership.levelsBelow([], 50), membership.levelsBelow([20], 3)]).toEqual([0, 3]);
});

test('a change of members forgets nothing, and one of subgroups only what is above', () => {
  const membership = new GroupMembership();
  const chain = [1, 2, 3].map((groupId) => ({ ...BASE, groupId, directSubgroups: groupId < 3 ? [groupId + 1] : [] }));
  for (const group of chain) membership.replace(undefined, group);
  const closures = () => [1, 2, 3].map((groupId) => membership.idsBelow(groupId));
  const before = closures();
  const [, second, third] = chain;
  membership.replace(third, { ...third!, directMembers: IdSet.of([7]) });
  expect(closures().map((closure, index) => closure === before[index])).toEqual([true, true, true]);
  membership.replace(second, { ...second!, directSubgroups: [] });
  expect(closures().map((closure, index) => closure === before[index])).toEqual([false, false, true]);
  expect([...membership.idsBelow(1)]).toEqual([1, 2]);
});
