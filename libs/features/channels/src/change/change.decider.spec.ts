import { Directory, type OrganizationEvent } from '#people';
import { ROLE, type User } from '#users/model';
import { SYSTEM_GROUPS, systemGroupId } from '#groups/model';
import { sampleOrganization } from '#testing';
import { changedChannel } from '../model/channels/changed-channel.js';
import { newChannel } from '../model/channels/new-channel.js';
import type { ChangeChannel } from './change.commands.js';
import { decideArchiveChannel, decideChangeChannel } from './change.decider.js';

const at = 1_790_000_000;
const [OLIVE, ADAM, ANN, BEN] = [1, 2, 3, 4];
const CHANNEL = 1;

const person = (userId: number, role: number): OrganizationEvent => ({
  type: 'user.created.v1',
  data: { userId, email: `${userId}@acme.test`, fullName: '', role, botType: null, botOwnerId: null, timezone: '', at },
});
const past: OrganizationEvent[] = [
  sampleOrganization(SYSTEM_GROUPS, at),
  person(OLIVE, ROLE.owner),
  person(ADAM, ROLE.administrator),
  person(ANN, ROLE.member),
  person(BEN, ROLE.member),
];
const lunch = (settings: object = {}): OrganizationEvent =>
  newChannel({ channelId: CHANNEL, name: 'lunch', at, creatorId: ANN, ...settings });
const annIsIn: OrganizationEvent = {
  type: 'channel.subscribed.v1',
  data: { channelId: CHANNEL, subscribers: [{ userId: ANN, color: '#76ce90' }], by: ANN, at },
};

function given(...events: readonly OrganizationEvent[]): Directory {
  const directory = new Directory();
  [...past, ...events].forEach((event, index) => {
    directory.evolve(event, index + 1);
  });
  return directory;
}

const change = (directory: Directory, asked: Partial<ChangeChannel>, as = ANN) =>
  decideChangeChannel(directory, {
    type: 'change-channel',
    actor: directory.user(as) as User,
    channelId: CHANNEL,
    permissions: {},
    hasNamedTopics: false,
    at,
    ...asked,
  });
const archive = (directory: Directory, as = ANN) =>
  decideArchiveChannel(directory, {
    type: 'archive-channel',
    actor: directory.user(as) as User,
    channelId: CHANNEL,
    at,
  });
const refusal = (code: string) => expect.objectContaining({ code });

test('all changes of a request are one event, with what was before', () => {
  const directory = given(lunch());
  const description = { text: 'Soup', rendered: '<p>Soup</p>' };
  const can_send_message_group = { new: systemGroupId('role:moderators') };
  const events = change(directory, { name: 'dinner', description, permissions: { can_send_message_group } });
  expect(events).toEqual([
    {
      type: 'channel.changed.v1',
      data: {
        channelId: CHANNEL,
        name: { from: 'lunch', to: 'dinner' },
        description: { from: { text: '', rendered: '' }, to: description },
        permissions: {
          can_send_message_group: { from: systemGroupId('role:everyone'), to: systemGroupId('role:moderators') },
        },
        by: ANN,
        at,
        entails: { notices: true },
      },
    },
  ]);
  const after = given(lunch(), ...events).channel(CHANNEL)!;
  expect(after).toMatchObject({ name: 'dinner', description: 'Soup', renderedDescription: '<p>Soup</p>' });
  expect(changedChannel(after, events[0]!.data, 'from')).toEqual(directory.channel(CHANNEL));
});

test('what stays as it is is not recorded', () => {
  const asked = { isPrivate: false, isArchived: false, folderId: null, topicsPolicy: 'inherit' } as const;
  expect(change(given(lunch()), asked)).toEqual([]);
});

test('one refused change refuses all', () => {
  const update = { new: systemGroupId('role:members'), old: systemGroupId('role:owners') };
  const asked = { name: 'dinner', permissions: { can_send_message_group: update } };
  expect(() => change(given(lunch()), asked)).toThrow(refusal('EXPECTATION_MISMATCH'));
});

test.each([
  [{ isPrivate: true }, { inviteOnly: true, isWebPublic: false, historyPublicToSubscribers: false }],
  [
    { isPrivate: true, historyPublicToSubscribers: true },
    { inviteOnly: true, isWebPublic: false, historyPublicToSubscribers: true },
  ],
])('a public channel by %j', (asked, to) => {
  const [event] = change(given(lunch()), asked);
  const from = { inviteOnly: false, isWebPublic: false, historyPublicToSubscribers: true };
  expect(event?.data.privacy).toEqual({ from, to });
});

test.each([
  { isPrivate: false, historyPublicToSubscribers: false },
  { isPrivate: true, isWebPublic: true },
  { isWebPublic: true },
  { isWebPublic: true, historyPublicToSubscribers: false },
])('a public channel does not become %j', (asked) => {
  expect(() => change(given(lunch()), asked)).toThrow(refusal('BAD_REQUEST'));
});

test.each(['private', 'public'] as const)('who may not create %s channels makes none by a change', (kind) => {
  const isPrivate = kind === 'private';
  const permissions = { [`can_create_${kind}_channel_group`]: systemGroupId('role:administrators') };
  const subscribers = [ANN, ADAM].map((userId) => ({ userId, color: '#76ce90' }));
  const directory = given(
    lunch({ inviteOnly: !isPrivate }),
    { type: 'channel.subscribed.v1', data: { channelId: CHANNEL, subscribers, by: ANN, at } },
    { type: 'organization.settings-changed.v1', data: { permissions, by: OLIVE, at } },
  );
  expect(() => change(directory, { isPrivate })).toThrow(refusal('BAD_REQUEST'));
  expect(change(directory, { isPrivate: !isPrivate, name: 'dinner' })).toHaveLength(1);
  expect(change(directory, { isPrivate }, ADAM)).toHaveLength(1);
});

test('an administrator outside of a private channel changes its name, and not who reads it', () => {
  const directory = given(lunch({ inviteOnly: true }), annIsIn);
  expect(change(directory, { name: 'dinner' }, ADAM)).toHaveLength(1);
  const can_subscribe_group = { new: systemGroupId('role:members') };
  for (const asked of [{ isPrivate: false }, { permissions: { can_subscribe_group } }]) {
    expect(() => change(directory, asked, ADAM)).toThrow(refusal('BAD_REQUEST'));
    expect(change(directory, asked, ANN)).toHaveLength(1);
  }
});

test('only owners set the retention, and only administrators the default channels', () => {
  const directory = given(lunch());
  expect(() => change(directory, { messageRetentionDays: 3 }, ADAM)).toThrow(refusal('UNAUTHORIZED_PRINCIPAL'));
  expect(change(directory, { messageRetentionDays: 3 }, OLIVE)).toHaveLength(1);
  expect(() => change(directory, { isDefault: true })).toThrow(refusal('UNAUTHORIZED_PRINCIPAL'));
  expect(change(directory, { isDefault: true }, ADAM)).toHaveLength(1);
});

test('only the empty topic, once there is no other', () => {
  const asked = { topicsPolicy: 'empty_topic_only', hasNamedTopics: true } as const;
  expect(() => change(given(lunch()), asked)).toThrow(refusal('BAD_REQUEST'));
  expect(change(given(lunch()), { ...asked, hasNamedTopics: false })).toHaveLength(1);
});

test('archiving ends being a default channel, and entails what is read by it', () => {
  const directory = given(lunch({ isDefault: true }));
  directory.lastMessageId = 7;
  const [event] = archive(directory);
  expect(event?.data).toMatchObject({
    isArchived: { from: false, to: true },
    isDefault: { from: true, to: false },
    entails: { readThrough: 7 },
  });
  expect(change(directory, { isArchived: true })).toEqual([event]);
  const archived = given(lunch({ isDefault: true }), event!);
  expect(() => archive(archived)).toThrow(refusal('BAD_REQUEST'));
  expect(change(archived, { isArchived: true })).toEqual([]);
  expect(change(archived, { isArchived: false })[0]?.data).not.toHaveProperty('isDefault');
});

test('members, and those who do not know the channel, administer nothing', () => {
  expect(() => change(given(lunch()), {}, BEN)).toThrow(refusal('BAD_REQUEST'));
  expect(() => archive(given(lunch()), BEN)).toThrow(refusal('BAD_REQUEST'));
  const hidden = given(lunch({ inviteOnly: true }), annIsIn);
  expect(() => change(hidden, {}, BEN)).toThrow('Invalid channel ID');
});

test('settings of the organization name an archived channel no more', () => {
  const named = (settings: object): OrganizationEvent => ({
    type: 'organization.settings-changed.v1',
    data: { settings, by: OLIVE, at },
  });
  const settings = {
    signup_announcements_stream_id: CHANNEL,
    zulip_update_announcements_stream_id: CHANNEL,
    moderation_request_channel_id: CHANNEL,
  };
  const directory = given(lunch(), named({ ...settings, new_stream_announcements_stream_id: 2 }));
  const [changed, ...more] = archive(directory);
  expect(changed?.type).toBe('channel.changed.v1');
  expect(more).toEqual([
    {
      type: 'organization.settings-changed.v1',
      data: {
        settings: {
          signup_announcements_stream_id: -1,
          zulip_update_announcements_stream_id: -1,
          moderation_request_channel_id: -1,
        },
        by: ANN,
        at,
      },
    },
  ]);
  expect(change(directory, { isArchived: true })).toEqual([changed, ...more]);
  expect(change(directory, { name: 'dinner' })).toHaveLength(1);
});

test('the channel that reports go to stays private', () => {
  const reports: OrganizationEvent = {
    type: 'organization.settings-changed.v1',
    data: { settings: { moderation_request_channel_id: CHANNEL }, by: OLIVE, at },
  };
  const closed = lunch({ inviteOnly: true, historyPublicToSubscribers: true });
  expect(() => change(given(closed, annIsIn, reports), { isPrivate: false })).toThrow(refusal('BAD_REQUEST'));
  expect(change(given(closed, annIsIn, reports), { historyPublicToSubscribers: false })).toHaveLength(1);
  expect(change(given(closed, annIsIn), { isPrivate: false })).toHaveLength(1);
});

test('a name that is given up is free, and one of an archived channel is not', () => {
  const renamed = change(given(lunch()), { name: 'dinner' });
  expect(given(lunch(), ...renamed).channelByName('lunch')).toBeUndefined();
  expect(given(lunch(), ...renamed).channelByName('DINNER')?.channelId).toBe(CHANNEL);
  const archived = archive(given(lunch()));
  expect(given(lunch(), ...archived).channelByName('lunch')?.channelId).toBe(CHANNEL);
});
