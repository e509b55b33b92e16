import { newChannel } from '#channels/model';
import type { OrganizationEvent } from '#people';
import { specFor } from '#testing';
import { newGroupPermissions, type GroupPermission } from './model/group-permissions.js';
import { systemGroupId } from './model/system-groups.js';
import type { ChangeGroup, CreateGroup } from './groups.commands.js';
import { GROUPS_MAX } from './groups.decider.js';
import { LEVELS_MAX } from './members.decider.js';
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

const given = specFor(groupsDecider);
const NOBODY = systemGroupId('role:nobody');
const EVERYONE = systemGroupId('role:everyone');
const MEMBERS = systemGroupId('role:members');
const OWNERS = systemGroupId('role:owners');
const INTERNET = systemGroupId('role:internet');
const done = { by: ANN, at };
const onlyBen = { directMembers: [BEN], directSubgroups: [] };

const create = (change: Partial<CreateGroup> = {}): CreateGroup => ({
  type: 'create-group',
  actor: person(ANN),
  name: 'Cooks',
  description: 'Who cooks',
  memberIds: [],
  subgroupIds: [],
  permissions: {},
  at,
  ...change,
});
const change = (asked: Partial<ChangeGroup>): ChangeGroup => ({
  type: 'change-group',
  actor: person(ANN),
  groupId: COOKS,
  name: undefined,
  description: undefined,
  deactivated: undefined,
  permissions: {},
  at,
  ...asked,
});
const deactivate = (groupId = COOKS, actor = person(ANN)) =>
  ({ type: 'deactivate-group', actor, groupId, at }) as const;
const deactivated = (groupId: number): OrganizationEvent => ({
  type: 'group.deactivated.v1',
  data: { groupId, ...done },
});
const realm = (permissions: Record<string, number>): OrganizationEvent => ({
  type: 'organization.settings-changed.v1',
  data: { permissions, by: OLGA, at },
});

/** A chain of so many groups from the innermost, `COOKS`, to the outermost. */
const chain = (levels: number) =>
  Array.from({ length: levels }, (_, index) =>
    created(COOKS + index, { subgroupIds: index === 0 ? [] : [COOKS + index - 1] }),
  );
const TOO_DEEP = 'User groups can be nested at most 50 levels deep.';
const TOO_MANY = 'An organization can have at most 2000 user groups.';
const groups = (count: number) => Array.from({ length: count }, (_, index) => created(COOKS + index));

describe('an organization with as many groups as there may be', () => {
  test('gets no more', () => {
    expect(
      given(...groups(GROUPS_MAX))
        .when(create())
        .thenRefused('BAD_REQUEST').message,
    ).toBe(TOO_MANY);
    given(...groups(GROUPS_MAX - 1))
      .when(create())
      .then(created(COOKS + GROUPS_MAX - 1, { name: 'Cooks', description: 'Who cooks' }));
  });

  test('gets another one for one that is deactivated, which cannot come back then', () => {
    const full = groups(GROUPS_MAX);
    given(...full, deactivated(COOKS))
      .when(create())
      .then(created(COOKS + GROUPS_MAX, { name: 'Cooks', description: 'Who cooks' }));
    expect(
      given(...full, deactivated(COOKS), created(COOKS + GROUPS_MAX))
        .when(change({ deactivated: false }))
        .thenRefused('BAD_REQUEST').message,
    ).toBe(TOO_MANY);
  });

  test('keeps more of them from earlier times, which can be changed', () => {
    given(...groups(GROUPS_MAX + 5))
      .when(change({ name: 'Helpers' }))
      .then({ type: 'group.changed.v1', data: { groupId: COOKS, name: 'Helpers', ...done } });
  });
});

describe('groups that are nested as deep as they may be', () => {
  const outermost = COOKS + LEVELS_MAX - 1;

  test('get no group around them', () => {
    expect(
      given(...chain(LEVELS_MAX))
        .when(create({ subgroupIds: [outermost] }))
        .thenRefused('BAD_REQUEST').message,
    ).toBe(TOO_DEEP);
    given(...chain(LEVELS_MAX))
      .when(create({ subgroupIds: [outermost - 1] }))
      .then(created(outermost + 1, { name: 'Cooks', description: 'Who cooks', subgroupIds: [outermost - 1] }));
  });

  test('do not come back when they are deeper from earlier times', () => {
    expect(
      given(...chain(LEVELS_MAX + 3), deactivated(outermost + 3))
        .when(change({ groupId: outermost + 3, deactivated: false }))
        .thenRefused('BAD_REQUEST').message,
    ).toBe(TOO_DEEP);
    given(...chain(LEVELS_MAX), deactivated(outermost))
      .when(change({ groupId: outermost, deactivated: false }))
      .then({ type: 'group.reactivated.v1', data: { groupId: outermost, ...done } });
  });
});

describe('creating a group', () => {
  test('takes members and subgroups in order, once each, with the permissions of a new group', () => {
    given(created(COOKS, { name: 'Helpers' }))
      .when(create({ memberIds: [BEN, ANN, BEN], subgroupIds: [COOKS, MEMBERS] }))
      .then(
        created(BAKERS, {
          name: 'Cooks',
          description: 'Who cooks',
          userIds: [ANN, BEN],
          subgroupIds: [MEMBERS, COOKS],
          entails: 'notices',
        }),
      );
  });

  test('takes the permissions that are given, in one spelling', () => {
    const permissions: CreateGroup['permissions'] = {
      can_join_group: { direct_members: [], direct_subgroups: [MEMBERS] },
      can_leave_group: { direct_members: [], direct_subgroups: [] },
      can_manage_group: { direct_members: [BEN, ANN, BEN], direct_subgroups: [] },
    };
    given()
      .when(create({ permissions }))
      .then(
        created(COOKS, {
          name: 'Cooks',
          description: 'Who cooks',
          permissions: {
            ...newGroupPermissions(ANN),
            can_join_group: MEMBERS,
            can_leave_group: NOBODY,
            can_manage_group: { directMembers: [ANN, BEN], directSubgroups: [] },
          },
        }),
      );
  });

  test.each<[string, string]>([
    ['an empty name', '  '],
    ['a long name', 'x'.repeat(101)],
    ['a name like a mention', '@cooks'],
    ['a name like a system group', 'role:cooks'],
    ['a name like a person', 'user:5'],
    ['a name like a channel', 'channel:5'],
    ['the older word for it', 'stream:5'],
    ['a name that no mention can hold', 'a*b'],
    ['more than one line', 'a\nb'],
    ['the name of another, in any case', 'GROUP 9'],
    ['the name of another with another space', 'Group\u00a09'],
    ['a name with what cannot be seen', 'Coo\u200bks'],
  ])('%s is refused', (_, name) => {
    given(created(COOKS)).when(create({ name })).thenRefused('BAD_REQUEST');
    given(created(COOKS), created(BAKERS))
      .when(change({ groupId: BAKERS, name }))
      .thenRefused('BAD_REQUEST');
  });

  test('a name is as long as its characters, not its bytes', () => {
    const name = '😀'.repeat(100);
    given()
      .when(create({ name: ` ${name} ` }))
      .then(created(COOKS, { name, description: 'Who cooks' }));
  });

  test.each<[string, Partial<CreateGroup>]>([
    ['nobody', { memberIds: [99] }],
    ["the server's own bot", { memberIds: [BOT] }],
    ['no group', { subgroupIds: [99] }],
    ['everyone on the Internet', { subgroupIds: [INTERNET] }],
    ['a deactivated group', { subgroupIds: [BAKERS] }],
    ['a long description', { description: 'x'.repeat(1025) }],
    ['a null byte in a description', { description: 'a\0b' }],
    ['a permission of a deactivated group', { permissions: { can_mention_group: BAKERS } }],
    [
      'a permission of nobody known',
      { permissions: { can_mention_group: { direct_members: [99], direct_subgroups: [] } } },
    ],
  ])('%s is refused', (_, asked) => {
    given(created(COOKS), created(BAKERS), deactivated(BAKERS)).when(create(asked)).thenRefused('BAD_REQUEST');
  });

  test('guests, and others than those whom the organization lets, are refused', () => {
    given(realm({ can_create_groups: EVERYONE }))
      .when(create({ actor: person(GUS) }))
      .thenRefused('BAD_REQUEST');
    given(realm({ can_create_groups: OWNERS }))
      .when(create())
      .thenRefused('BAD_REQUEST');
  });
});

describe('permission settings of a group', () => {
  const holders = (name: GroupPermission, value: number): ChangeGroup['permissions'] => ({ [name]: { new: value } });

  test.each<[GroupPermission, number, boolean]>([
    ['can_add_members_group', EVERYONE, false],
    ['can_join_group', EVERYONE, false],
    ['can_leave_group', EVERYONE, true],
    ['can_manage_group', EVERYONE, false],
    ['can_mention_group', EVERYONE, true],
    ['can_remove_members_group', EVERYONE, false],
    ['can_manage_group', NOBODY, true],
    ['can_manage_group', OWNERS, true],
    ['can_mention_group', OWNERS, false],
    ['can_mention_group', INTERNET, false],
    ['can_manage_group', INTERNET, false],
    ['can_join_group', MEMBERS, true],
    ['can_join_group', 99, false],
  ])('%s given to group %d: %s', (name, value, isAccepted) => {
    const changing = given(created(COOKS, { permissions: { [name]: onlyBen } })).when(
      change({ permissions: holders(name, value), actor: person(OLGA) }),
    );
    const creating = given().when(create({ permissions: { [name]: value } }));
    if (!isAccepted) {
      changing.thenRefused('BAD_REQUEST');
      creating.thenRefused('BAD_REQUEST');
      return;
    }
    changing.then({
      type: 'group.changed.v1',
      data: { groupId: COOKS, permissions: { [name]: value }, by: OLGA, at },
    });
    creating.then(created(COOKS, { name: 'Cooks', description: 'Who cooks', permissions: { [name]: value } }));
  });

  test('everyone among others is everyone', () => {
    const value = { direct_members: [ANN], direct_subgroups: [EVERYONE] };
    given(created(COOKS))
      .when(change({ permissions: { can_join_group: { new: value } } }))
      .thenRefused('BAD_REQUEST');
  });

  test('change only on a right belief, however it is spelled', () => {
    const creator = { direct_members: [ANN, ANN], direct_subgroups: [] };
    given(created(COOKS))
      .when(change({ permissions: { can_manage_group: { new: MEMBERS, old: NOBODY } } }))
      .thenRefused('EXPECTATION_MISMATCH', { field_name: 'old' });
    given(created(COOKS))
      .when(change({ permissions: { can_manage_group: { new: MEMBERS, old: creator } } }))
      .then({
        type: 'group.changed.v1',
        data: { permissions: { can_manage_group: MEMBERS }, groupId: COOKS, ...done },
      });
  });

  test('change together or not at all', () => {
    const permissions = { can_join_group: { new: MEMBERS }, can_leave_group: { new: MEMBERS, old: OWNERS } };
    given(created(COOKS))
      .when(change({ name: 'Chefs', permissions }))
      .thenRefused('EXPECTATION_MISMATCH');
  });
});

describe('changing a group', () => {
  test('lists what changed', () => {
    given(created(COOKS, { description: 'old' }))
      .when(change({ name: 'Chefs', description: 'old' }))
      .then({ type: 'group.changed.v1', data: { name: 'Chefs', groupId: COOKS, ...done } });
  });

  test('into what it is, is nothing; its own name in another case is a change', () => {
    given(created(COOKS))
      .when(change({ name: `Group ${COOKS}`, description: '', permissions: { can_join_group: { new: NOBODY } } }))
      .thenNothing();
    given(created(COOKS))
      .when(change({ name: `GROUP ${COOKS}` }))
      .then({ type: 'group.changed.v1', data: { name: `GROUP ${COOKS}`, groupId: COOKS, ...done } });
  });

  test('without a change is refused', () => void given(created(COOKS)).when(change({})).thenRefused('BAD_REQUEST'));
  test('that is none, or the system’s, is refused', () => {
    given()
      .when(change({ name: 'x' }))
      .thenRefused('BAD_REQUEST');
    given()
      .when(change({ groupId: MEMBERS, actor: person(OLGA), name: 'x' }))
      .thenRefused('BAD_REQUEST');
  });

  test('is for those who manage it, or all groups', () => {
    const byBen = change({ actor: person(BEN), name: 'Chefs' });
    given(created(COOKS)).when(byBen).thenRefused('BAD_REQUEST');
    const changed = { type: 'group.changed.v1', data: { name: 'Chefs', groupId: COOKS, by: BEN, at } } as const;
    given(created(COOKS, { permissions: { can_manage_group: onlyBen } }))
      .when(byBen)
      .then(changed);
    given(created(COOKS), realm({ can_manage_all_groups: MEMBERS }))
      .when(byBen)
      .then(changed);
    // Through a group in a group.
    given(
      created(COOKS, { permissions: { can_manage_group: SMITHS } }),
      created(BAKERS, { userIds: [BEN] }),
      created(SMITHS, { subgroupIds: [BAKERS] }),
    )
      .when(byBen)
      .then(changed);
  });

  test('is closed to guests, even when a setting names them', () => {
    const permissions = { can_manage_group: { directMembers: [GUS], directSubgroups: [] } };
    given(created(COOKS, { permissions }))
      .when(change({ actor: person(GUS), name: 'Chefs' }))
      .thenRefused('BAD_REQUEST');
  });
});

describe('deactivating a group', () => {
  test('keeps it, and is done once', () => {
    given(created(COOKS)).when(deactivate()).then(deactivated(COOKS));
    given(created(COOKS), deactivated(COOKS)).when(deactivate()).thenRefused('BAD_REQUEST');
  });

  test('is for those who manage it', () => {
    given(created(COOKS))
      .when(deactivate(COOKS, person(BEN)))
      .thenRefused('BAD_REQUEST');
    given()
      .when(deactivate(MEMBERS, person(OLGA)))
      .thenRefused('BAD_REQUEST');
  });

  const channel = newChannel({ channelId: 3, name: 'kitchen', at, permissions: { can_send_message_group: COOKS } });
  const bakers = created(BAKERS, {
    subgroupIds: [COOKS],
    permissions: { can_join_group: { directMembers: [ANN], directSubgroups: [COOKS] } },
  });

  test('is refused while it is in use, with all that uses it', () => {
    given(created(COOKS), bakers, channel, realm({ can_resolve_topics_group: COOKS }))
      .when(deactivate())
      .thenRefused('CANNOT_DEACTIVATE_GROUP_IN_USE', {
        objections: [
          { type: 'subgroup', supergroup_ids: [BAKERS] },
          { type: 'channel', channel_id: 3, settings: ['can_send_message_group'] },
          { type: 'user_group', group_id: BAKERS, settings: ['can_join_group'] },
          { type: 'realm', settings: ['can_resolve_topics_group'] },
        ],
      });
  });

  test('is not hindered by groups that are deactivated themselves', () => {
    given(created(COOKS), bakers, deactivated(BAKERS)).when(deactivate()).then(deactivated(COOKS));
  });
});

describe('a deactivated group', () => {
  const past = [created(COOKS), deactivated(COOKS)];

  test('can be renamed, and its settings change', () => {
    given(...past)
      .when(change({ name: 'Chefs', permissions: { can_join_group: { new: MEMBERS } } }))
      .then({
        type: 'group.changed.v1',
        data: { name: 'Chefs', permissions: { can_join_group: MEMBERS }, groupId: COOKS, ...done },
      });
  });

  test('keeps its name from others', () => {
    given(...past)
      .when(create({ name: `Group ${COOKS}` }))
      .thenRefused('BAD_REQUEST');
  });

  test('is reactivated, once, and with other changes after it', () => {
    const reactivated = { type: 'group.reactivated.v1', data: { groupId: COOKS, ...done } } as const;
    given(...past)
      .when(change({ deactivated: false }))
      .then(reactivated);
    given(created(COOKS))
      .when(change({ deactivated: false }))
      .thenNothing();
    given(...past)
      .when(change({ deactivated: true }))
      .thenNothing();
    given(created(COOKS))
      .when(change({ deactivated: true }))
      .thenNothing();
    given(...past)
      .when(change({ deactivated: false, name: 'Chefs' }))
      .then(reactivated, { type: 'group.changed.v1', data: { name: 'Chefs', groupId: COOKS, ...done } });
  });

  test('is reactivated also after a user whom its settings name, such as its creator', () => {
    given(...past, { type: 'user.deactivated.v1', data: { userId: ANN, by: OLGA, at } })
      .when(change({ actor: person(OLGA), deactivated: false }))
      .then({ type: 'group.reactivated.v1', data: { groupId: COOKS, by: OLGA, at } });
  });

  test('is not reactivated while a setting of its own names another deactivated one', () => {
    const both = [
      created(COOKS, { permissions: { can_join_group: BAKERS } }),
      created(BAKERS),
      deactivated(COOKS),
      deactivated(BAKERS),
    ];
    given(...both)
      .when(change({ deactivated: false }))
      .thenRefused('BAD_REQUEST');
    given(...both)
      .when(change({ deactivated: false, permissions: { can_join_group: { new: NOBODY } } }))
      .then(
        { type: 'group.reactivated.v1', data: { groupId: COOKS, ...done } },
        { type: 'group.changed.v1', data: { permissions: { can_join_group: NOBODY }, groupId: COOKS, ...done } },
      );
  });
});
