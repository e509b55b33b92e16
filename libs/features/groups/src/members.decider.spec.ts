import fc from 'fast-check';
import { Refusal } from '#kernel';
import { ROLE } from '#users/model';
import { rounds, sampleAccount, specFor } from '#testing';
import { systemGroupId } from './model/system-groups.js';
import type { GroupSetting } from './model/group-setting.js';
import type { ChangeMembers } from './groups.commands.js';
import {
  ANN,
  at,
  BAKERS,
  BEN,
  BOT,
  COOKS,
  created,
  groupsDecider,
  GUS,
  OLGA,
  person,
  SMITHS,
} from './groups.fixture.js';
import { noticesTo, TOLD_MAX } from './members.decider.js';

const given = specFor(groupsDecider);
const NOBODY = systemGroupId('role:nobody');
const MEMBERS = systemGroupId('role:members');
const done = { groupId: COOKS, by: ANN, at };
/** Deactivated, where the account is there. */
const DORA = 6;
const only = (userId: number): GroupSetting => ({ directMembers: [userId], directSubgroups: [] });

const change = (asked: Partial<ChangeMembers>): ChangeMembers => ({
  type: 'change-members',
  actor: person(ANN),
  groupId: COOKS,
  addIds: [],
  removeIds: [],
  addSubgroupIds: [],
  removeSubgroupIds: [],
  at,
  ...asked,
});

test('members and subgroups are added and removed in one request; users added or removed by others get a notice', () => {
  given(created(COOKS, { userIds: [BEN], subgroupIds: [MEMBERS] }), created(BAKERS))
    .when(change({ addIds: [OLGA, ANN], removeIds: [BEN], addSubgroupIds: [BAKERS], removeSubgroupIds: [MEMBERS] }))
    .then(
      { type: 'group.members-added.v1', data: { ...done, userIds: [OLGA, ANN], entails: 'notices' } },
      { type: 'group.members-removed.v1', data: { ...done, userIds: [BEN], entails: 'notices' } },
      { type: 'group.subgroups-added.v1', data: { ...done, subgroupIds: [BAKERS] } },
      { type: 'group.subgroups-removed.v1', data: { ...done, subgroupIds: [MEMBERS] } },
    );
});

test('owners are told when more people may audit by a group, or by one below it', () => {
  const audits = {
    type: 'organization.settings-changed.v1',
    data: { permissions: { can_audit_group: BAKERS }, by: OLGA, at },
  } as const;
  const nested = [created(COOKS), created(BAKERS, { subgroupIds: [COOKS] }), created(SMITHS), audits];
  const asked = { actor: person(OLGA), addSubgroupIds: [SMITHS] };
  const by = { ...done, by: OLGA };
  const subgroups = {
    type: 'group.subgroups-added.v1',
    data: { ...by, subgroupIds: [SMITHS], entails: 'owners' },
  } as const;
  given(...nested)
    .when(change({ ...asked, addIds: [BEN] }))
    .then(
      { type: 'group.members-added.v1', data: { ...by, userIds: [BEN], entails: 'notices and owners' } },
      subgroups,
    );
  given(...nested)
    .when(change({ ...asked, addIds: [OLGA] }))
    .then({ type: 'group.members-added.v1', data: { ...by, userIds: [OLGA], entails: 'owners' } }, subgroups);
});

test('who joins alone is told nothing', () => {
  given(created(COOKS))
    .when(change({ addIds: [ANN] }))
    .then({ type: 'group.members-added.v1', data: { ...done, userIds: [ANN] } });
});

test('more people than can be told each are told nothing', () => {
  const directory = groupsDecider.initial();
  const ids = Array.from({ length: TOLD_MAX + 1 }, (_, index) => 100 + index);
  for (const userId of ids) {
    const data = { userId, email: `${userId}@acme.test`, fullName: `${userId}`, role: 400, timezone: '', at };
    directory.evolve({ type: 'user.created.v1', data: { ...data, botType: null, botOwnerId: null } }, userId);
  }
  expect(noticesTo(directory, person(ANN), ids)).toEqual({});
  expect(noticesTo(directory, person(ANN), ids.slice(1))).toEqual({ entails: 'notices' });
});

test.each<[string, Partial<ChangeMembers>]>([
  ['nothing', {}],
  ['nobody known', { addIds: [99] }],
  ["the server's own bot", { addIds: [BOT] }],
  ['a member again', { addIds: [BEN] }],
  ['taking away who is no member', { removeIds: [OLGA] }],
  ['taking away who is deactivated', { removeIds: [DORA] }],
  ['no group', { addSubgroupIds: [99] }],
  ['everyone on the Internet', { addSubgroupIds: [systemGroupId('role:internet')] }],
  ['a subgroup again', { addSubgroupIds: [BAKERS] }],
  ['taking away what is no subgroup', { removeSubgroupIds: [MEMBERS] }],
  ['itself', { addSubgroupIds: [COOKS] }],
  ['one that contains it', { groupId: BAKERS, addSubgroupIds: [COOKS] }],
  ['a deactivated one', { addSubgroupIds: [SMITHS] }],
  ['a deactivated one’s members', { groupId: SMITHS, addIds: [ANN] }],
  ['a deactivated one’s subgroups', { groupId: SMITHS, addSubgroupIds: [MEMBERS] }],
  ['a system group', { groupId: MEMBERS, addIds: [ANN], actor: person(OLGA) }],
  ['a good part of a bad request', { addIds: [OLGA, 99] }],
  ['a guest who may', { actor: person(GUS), addIds: [GUS] }],
])('%s is refused', (_, asked) => {
  given(
    sampleAccount(DORA, ROLE.member, at),
    created(COOKS, { userIds: [BEN, DORA], subgroupIds: [BAKERS], permissions: { can_join_group: only(GUS) } }),
    created(BAKERS),
    created(SMITHS),
    { type: 'group.deactivated.v1', data: { ...done, groupId: SMITHS } },
    { type: 'user.deactivated.v1', data: { userId: DORA, by: ANN, at } },
  )
    .when(change(asked))
    .thenRefused('BAD_REQUEST');
});

describe('who may', () => {
  const JOIN = { addIds: [BEN] };
  const ADD = { addIds: [OLGA] };
  const LEAVE = { removeIds: [BEN] };
  const REMOVE = { removeIds: [OLGA] };
  const NEST = { addSubgroupIds: [BAKERS] };
  const FREE = { removeSubgroupIds: [BAKERS] };
  const ALL = { JOIN, ADD, LEAVE, REMOVE, NEST, FREE };
  type Act = keyof typeof ALL;

  test.each<[string, readonly Act[]]>([
    ['none', []],
    ['can_join_group', ['JOIN']],
    ['can_add_members_group', ['JOIN', 'ADD', 'NEST']],
    ['can_leave_group', ['LEAVE']],
    ['can_remove_members_group', ['LEAVE', 'REMOVE', 'FREE']],
    ['can_mention_group', []],
    ['can_manage_group', ['JOIN', 'ADD', 'LEAVE', 'REMOVE', 'NEST', 'FREE']],
  ])('by %s: %j', (held, acts) => {
    for (const [act, asked] of Object.entries(ALL)) {
      const isThere = act !== 'JOIN' && act !== 'ADD' && act !== 'NEST';
      const permissions = {
        can_add_members_group: only(ANN),
        can_leave_group: NOBODY,
        can_manage_group: only(ANN),
        [held]: only(BEN),
      };
      const expectation = given(
        created(COOKS, { userIds: isThere ? [OLGA, BEN] : [], subgroupIds: isThere ? [BAKERS] : [], permissions }),
        created(BAKERS),
      ).when(change({ actor: person(BEN), ...asked }));
      if (acts.includes(act as Act)) expect(() => expectation.thenNothing()).toThrow(/deep/);
      else expectation.thenRefused('BAD_REQUEST');
    }
  });

  test('oneself and others at once takes both permissions', () => {
    const permissions = { can_join_group: only(BEN) };
    given(created(COOKS, { permissions }))
      .when(change({ actor: person(BEN), addIds: [BEN, OLGA] }))
      .thenRefused('BAD_REQUEST');
  });
});

test('no history of subgroups closes a circle', () => {
  const groupIds = [COOKS, BAKERS, SMITHS, SMITHS + 1, SMITHS + 2];
  const edge = fc.record({
    groupId: fc.constantFrom(...groupIds),
    addSubgroupIds: fc.subarray(groupIds, { maxLength: 2 }),
    removeSubgroupIds: fc.subarray(groupIds, { maxLength: 1 }),
  });
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 20 }), (asked) => {
      const directory = groupsDecider.initial();
      for (const groupId of groupIds) groupsDecider.evolve(directory, created(groupId));
      for (const one of asked) {
        try {
          for (const event of groupsDecider.decide(directory, change(one))) groupsDecider.evolve(directory, event);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
        for (const groupId of groupIds) {
          const { directSubgroups } = directory.group(groupId)!;
          expect(directSubgroups.some((id) => directory.groupIdsBelow(id).has(groupId))).toBe(false);
        }
      }
    }),
    { numRuns: rounds(200) },
  );
});

describe('levels of groups', () => {
  /** Two chains of so many levels; each group lists the one before it. */
  const chain = (first: number, levels: number) =>
    Array.from({ length: levels }, (_, index) =>
      created(first + index, { subgroupIds: index === 0 ? [] : [first + index - 1] }),
    );
  const other = COOKS + 30;

  test.each([
    [20, true],
    [21, false],
  ])('30 above and %i below are accepted: %s', (below, isAccepted) => {
    const [innermost, added] = [COOKS, other + below - 1];
    const scene = given(...chain(COOKS, 30), ...chain(other, below));
    const asked = scene.when(change({ groupId: innermost, addSubgroupIds: [added] }));
    if (isAccepted)
      asked.then({ type: 'group.subgroups-added.v1', data: { ...done, groupId: innermost, subgroupIds: [added] } });
    else expect(asked.thenRefused('BAD_REQUEST').message).toBe('User groups can be nested at most 50 levels deep.');
  });
});
