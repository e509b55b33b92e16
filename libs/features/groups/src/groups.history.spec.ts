import fc from 'fast-check';
import { Refusal } from '#kernel';
import { Directory } from '#people';
import { REALM_PERMISSION_NAMES } from '#realm/model';
import { rounds } from '#testing';
import type { Group } from './model/group.js';
import { GROUP_PERMISSION_NAMES } from './model/group-permissions.js';
import { groupsNamedBy } from './model/group-setting.js';
import { SYSTEM_GROUPS } from './model/system-groups.js';
import type { GroupCommand } from './groups.commands.js';
import { ANN, at, BEN, COOKS, groupsDecider, OLGA, person } from './groups.fixture.js';

const GROUPS = [COOKS, COOKS + 1, COOKS + 2, COOKS + 3];

const groupId = fc.constantFrom(...GROUPS);
const anyGroup = fc.constantFrom(...GROUPS, ...SYSTEM_GROUPS.map((group) => group.groupId));
const holders = fc.oneof(
  anyGroup,
  fc.record({
    direct_members: fc.subarray([OLGA, ANN, BEN]),
    direct_subgroups: fc.uniqueArray(anyGroup, { maxLength: 2 }),
  }),
);
const name = fc.constantFrom('cooks', 'Cooks', 'BAKERS', 'bakers', 'smiths', 'role:cooks');
const users = fc.subarray([OLGA, ANN, BEN], { maxLength: 2 });
const groups = fc.uniqueArray(anyGroup, { maxLength: 2 });
const setting = fc.constantFrom(...GROUP_PERMISSION_NAMES);
const common = { actor: fc.constantFrom(person(OLGA), person(ANN)), at: fc.constant(at) };

const command: fc.Arbitrary<GroupCommand> = fc.oneof(
  fc.record({
    ...common,
    type: fc.constant('create-group' as const),
    name: fc.oneof(name, fc.string({ minLength: 1, maxLength: 3 })),
    description: fc.constant(''),
    memberIds: users,
    subgroupIds: groups,
    permissions: fc.dictionary(setting, holders, { maxKeys: 2 }),
  }),
  fc.record({
    ...common,
    type: fc.constant('change-group' as const),
    groupId,
    name: fc.option(name, { nil: undefined }),
    description: fc.constant(undefined),
    deactivated: fc.option(fc.boolean(), { nil: undefined }),
    permissions: fc.dictionary(setting, fc.record({ new: holders }), { maxKeys: 2 }),
  }),
  fc.record({ ...common, type: fc.constant('deactivate-group' as const), groupId }),
  fc.record({
    ...common,
    type: fc.constant('change-members' as const),
    groupId,
    addIds: users,
    removeIds: users,
    addSubgroupIds: groups,
    removeSubgroupIds: fc.constant([]),
  }),
);

/** What no organization may have; one assertion for all, since the test asks after each of thousands of commands. */
function expectSound(directory: Directory): void {
  const all = [...directory.groups()];
  const live = new Set(all.filter(({ isDeactivated }) => !isDeactivated).map((group) => group.groupId));
  const names = all.map((group) => group.name.toLowerCase());
  const areLive = (ids: readonly number[]): boolean => ids.every((id) => live.has(id));
  expect({
    namedAlike: names.filter((one, index) => names.indexOf(one) < index),
    notFound: all.filter((group) => directory.groupByName(group.name.toUpperCase()) !== group),
    inThemselves: all.filter((group) =>
      group.directSubgroups.some((id) => directory.groupIdsBelow(id).has(group.groupId)),
    ),
    namingTheDead: all.filter(
      (group) =>
        !group.isDeactivated && !areLive(Object.values(group.permissions).flatMap((value) => groupsNamedBy(value))),
    ),
    permissionsOfTheDead: REALM_PERMISSION_NAMES.filter((one) => !areLive(groupsNamedBy(directory.permission(one)))),
  }).toEqual({ namedAlike: [], notFound: [], inThemselves: [], namingTheDead: [], permissionsOfTheDead: [] });
}

test('after any history names are unique, no group contains itself, settings name live groups, and a copy says the same', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(command, { minLength: 20, maxLength: 40 }), (asked) => {
      const directory = groupsDecider.initial();
      for (const one of asked) {
        try {
          for (const event of groupsDecider.decide(directory, one)) {
            groupsDecider.evolve(directory, event);
            accepted++;
          }
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
        expectSound(directory);
      }
      const copy = new Directory();
      copy.restore(JSON.parse(JSON.stringify(directory.snapshot())));
      expect(copy.snapshot()).toEqual(directory.snapshot());
      for (const { groupId: id } of directory.groups()) {
        expect(copy.memberIds([id])).toEqual(directory.memberIds([id]));
        expect(copy.groupIdsBelow(id)).toEqual(directory.groupIdsBelow(id));
      }
      expectSound(copy);
    }),
    { numRuns: rounds(40) },
  );
  // Most is refused; what is not has to be enough to say something.
  expect(accepted).toBeGreaterThan(50);
});

test('a copy from before groups could be created has the system groups as they are', () => {
  const { groups: recorded, ...rest } = groupsDecider.initial().snapshot();
  const older = (recorded as readonly Group[]).map(
    ({ groupId: id, name: called, description, isSystemGroup, directMembers, directSubgroups }) => {
      return { groupId: id, name: called, description, isSystemGroup, directMembers, directSubgroups };
    },
  );
  const directory = new Directory();
  directory.restore(JSON.parse(JSON.stringify({ ...rest, groups: older })));
  expect([...directory.groups()]).toEqual([...groupsDecider.initial().groups()]);
  expectSound(directory);
});
