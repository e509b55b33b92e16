import { Directory, type OrganizationEvent } from '#people';
import { newChannel } from '#channels/model';
import { ROLE, type User } from '#users/model';
import { SYSTEM_GROUPS, systemGroupId } from '#groups/model';
import { recorded } from '#testing';
import { Integrations } from './model/server/integrations.js';
import { NEW_REALM } from './model/settings/realm-settings.js';
import type { ChangeRealm } from './realm.commands.js';
import { RealmClientEvents } from './realm.client-events.js';
import { decideRealmChange } from './realm.decider.js';

const at = 1_790_000_000;
const admin = { userId: 2, role: ROLE.administrator } as User;
const ANN = 3;

function organization(): Directory {
  const directory = new Directory();
  const groups = SYSTEM_GROUPS.map((group) => ({ ...group, directSubgroups: [...group.directSubgroups] }));
  directory.evolve({ type: 'organization.created.v1', data: { uuid: 'u', name: 'Acme', at, groups } }, 1);
  const account = { email: 'ann@acme.test', fullName: 'Ann', role: ROLE.member, botType: null, botOwnerId: null };
  directory.evolve({ type: 'user.created.v1', data: { userId: ANN, ...account, timezone: '', at } }, 2);
  return directory;
}

function change(directory: Directory, asked: Partial<ChangeRealm>): readonly OrganizationEvent[] {
  return decideRealmChange(directory, {
    type: 'change-realm',
    actor: admin,
    settings: {},
    permissions: {},
    integrations: new Integrations(['Email', 'Dev']),
    at,
    ...asked,
  });
}

const refusal = (code: string, data = {}): Error => expect.objectContaining({ code, data });

describe('the organization', () => {
  test('begins as new organizations do, and is then what was changed last', () => {
    const directory = organization();
    expect(directory.settings).toEqual({ ...NEW_REALM.settings, name: 'Acme' });
    const asked = {
      settings: { message_content_edit_limit_seconds: null, allow_message_editing: true },
      permissions: { can_resolve_topics_group: { new: { direct_members: [ANN], direct_subgroups: [] } } },
    };
    const [fact, ...more] = change(directory, asked);
    expect([fact, more]).toEqual([
      {
        type: 'organization.settings-changed.v1',
        data: {
          settings: { message_content_edit_limit_seconds: null },
          permissions: { can_resolve_topics_group: { directMembers: [ANN], directSubgroups: [] } },
          by: admin.userId,
          at,
        },
      },
      [],
    ]);
    directory.evolve(fact!, 3);
    expect(directory.settings).toEqual({
      ...NEW_REALM.settings,
      name: 'Acme',
      message_content_edit_limit_seconds: null,
    });
    expect(directory.permission('can_resolve_topics_group')).toEqual({ directMembers: [ANN], directSubgroups: [] });
    expect(change(directory, asked)).toEqual([]);
    const restored = new Directory();
    restored.restore(JSON.parse(JSON.stringify(directory.snapshot())));
    expect(restored.settings).toEqual(directory.settings);
    expect(restored.permission('can_resolve_topics_group')).toEqual(directory.permission('can_resolve_topics_group'));
  });

  test('is changed by administrators', () => {
    const actor = { userId: 9, role: ROLE.moderator } as User;
    expect(() => change(organization(), { actor })).toThrow(refusal('UNAUTHORIZED_PRINCIPAL'));
  });

  test.each([
    [{ settings: { emails_restricted_to_domains: true } }],
    [{ permissions: { can_create_groups: { new: 5 } } }],
    [{ permissions: { can_manage_all_groups: { new: 2 } } }],
    [{ permissions: { can_invite_users_group: { new: 2 } } }],
    [{ permissions: { create_multiuse_invite_group: { new: 2 } } }],
    [{ address: 'elsewhere' }],
    [{ settings: { org_type: 10, emails_restricted_to_domains: true } }],
  ] as const)('%j is for owners alone', (asked) => {
    expect(() => change(organization(), asked)).toThrow(
      expect.objectContaining({ code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization owner' }),
    );
    const owner = { userId: 1, role: ROLE.owner } as User;
    if ('address' in asked)
      expect(() => change(organization(), { ...asked, actor: owner })).toThrow(refusal('BAD_REQUEST'));
    else expect(change(organization(), { ...asked, actor: owner }).length).toBeLessThan(2);
  });

  test('has another name from now on, in old snapshots as well', () => {
    const directory = organization();
    const [renamed] = change(directory, { settings: { name: '  Acme & Sons ' } });
    expect(renamed).toMatchObject({ data: { settings: { name: 'Acme & Sons' } } });
    directory.evolve(renamed!, 3);
    expect([directory.organization.name, directory.settings.name]).toEqual(['Acme & Sons', 'Acme & Sons']);
    const { name: _, ...older } = NEW_REALM.settings;
    const restored = new Directory();
    const { organization: before } = organization().snapshot();
    restored.restore({
      ...directory.snapshot(),
      organization: before,
      realm: { settings: older as typeof NEW_REALM.settings, permissions: NEW_REALM.permissions },
    });
    expect(restored.settings.name).toBe('Acme');
    expect(restored.userDefaults).toEqual({});
  });

  test.each([['   '], ['Ac\nme'], ['\0']])('is not called %j', (name) => {
    expect(() => change(organization(), { settings: { name } })).toThrow(refusal('BAD_REQUEST'));
  });

  test.each(['new_stream_announcements_stream_id', 'signup_announcements_stream_id', 'moderation_request_channel_id'])(
    '%s is a channel that there is',
    (name) => {
      expect(() => change(organization(), { settings: { [name]: 5 } })).toThrow(refusal('BAD_REQUEST'));
    },
  );

  test('has reports go to a private channel', () => {
    const directory = organization();
    const at = 1;
    for (const [channelId, inviteOnly] of [
      [5, false],
      [6, true],
    ] as const)
      // prettier-ignore
      directory.evolve(newChannel({ channelId, name: `channel ${channelId}`, inviteOnly, at }), 10 + channelId);
    const asked = (channelId: number) => ({ settings: { moderation_request_channel_id: channelId } });
    expect(() => change(directory, asked(5))).toThrow(refusal('BAD_REQUEST'));
    expect(change(directory, asked(6))).toHaveLength(1);
    expect(change(directory, { settings: { signup_announcements_stream_id: 5 } })).toHaveLength(1);
  });

  test('changes all of three settings, or none', () => {
    const asked = {
      settings: { org_type: 10, giphy_rating: 1 },
      permissions: { can_resolve_topics_group: { new: 2, old: 99 } },
    };
    expect(() => change(organization(), asked)).toThrow(refusal('EXPECTATION_MISMATCH', { field_name: 'old' }));
  });

  test('is not changed on a false belief', () => {
    const update = { new: systemGroupId('role:owners'), old: systemGroupId('role:nobody') };
    expect(() => change(organization(), { permissions: { can_resolve_topics_group: update } })).toThrow(
      refusal('EXPECTATION_MISMATCH', { field_name: 'old' }),
    );
    const right = { new: systemGroupId('role:owners'), old: systemGroupId('role:everyone') };
    expect(change(organization(), { permissions: { can_resolve_topics_group: right } })).toHaveLength(1);
  });

  test.each([
    ['a group that is none', 'can_resolve_topics_group', 99],
    ['the Internet', 'can_resolve_topics_group', systemGroupId('role:internet')],
    ['a user who is none', 'can_resolve_topics_group', { direct_members: [99], direct_subgroups: [] }],
    ['guests who may not hold it', 'can_move_messages_between_channels_group', systemGroupId('role:everyone')],
    [
      'guests among others',
      'can_delete_any_message_group',
      { direct_members: [ANN], direct_subgroups: [systemGroupId('role:everyone')] },
    ],
  ])('%s cannot be named', (_, name, value) => {
    expect(() => change(organization(), { permissions: { [name]: { new: value } } })).toThrow(refusal('BAD_REQUEST'));
  });
});

test('clients are told once of what belongs together, and of the rest one by one', () => {
  const data = {
    settings: {
      allow_message_editing: false,
      topics_policy: 'disable_empty_topic',
      move_messages_within_stream_limit_seconds: null,
      message_edit_history_visibility_policy: 'none',
    },
    permissions: { can_delete_own_message_group: { directMembers: [ANN], directSubgroups: [] } },
    by: admin.userId,
    at,
  };
  const [event] = recorded({ type: 'organization.settings-changed.v1', data });
  const entries = new RealmClientEvents(new Integrations()).derive(event!, organization());
  expect(entries.map(({ body }) => body)).toEqual([
    { op: 'update', property: 'move_messages_within_stream_limit_seconds', value: null },
    { op: 'update', property: 'message_edit_history_visibility_policy', value: 'none' },
    { op: 'update', property: 'allow_edit_history', value: false },
    {
      op: 'update_dict',
      property: 'default',
      data: {
        allow_message_editing: false,
        topics_policy: 'disable_empty_topic',
        mandatory_topics: true,
        can_delete_own_message_group: { direct_members: [ANN], direct_subgroups: [] },
      },
    },
  ]);
});

describe('ways to sign in', () => {
  const asked = (settings: Readonly<Record<string, boolean>>): readonly OrganizationEvent[] =>
    change(organization(), {
      actor: { userId: 1, role: ROLE.owner } as User,
      settings: { authentication_methods: settings },
    });

  test('are turned off and on by owners; what is not named stays', () => {
    const changed = { authentication_methods: { Dev: false } };
    expect(asked({ Dev: false })).toMatchObject([{ data: { settings: changed } }]);
    expect(asked({ Email: true })).toEqual([]);
    expect(() => change(organization(), { settings: changed })).toThrow(refusal('UNAUTHORIZED_PRINCIPAL'));
  });

  test.each<[Readonly<Record<string, boolean>>]>([
    [{ Email: false, Dev: false }],
    [{ 'OpenID Connect': true }],
    [{ constructor: true }],
  ])('%j is refused: one has to be on, and all have to be known', (settings) => {
    expect(() => asked(settings)).toThrow(refusal('BAD_REQUEST'));
  });
});

test('meetings are held by what the server has', () => {
  expect(change(organization(), { settings: { video_chat_provider: 0 } })).toHaveLength(1);
  expect(() => change(organization(), { settings: { video_chat_provider: 4 } })).toThrow(refusal('BAD_REQUEST'));
});
