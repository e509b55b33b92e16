import { Type } from 'typebox';
import { eventType, exactly, type FactOf } from '#event-store';
import { ChangeableSettings } from './changeable-settings.js';
import { linkifierEventTypes } from './linkifier.events.js';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();

/** Who holds a permission: a group's id, or users and groups named one by one (specification, "Group-setting value"). */
export const GroupSettingSchema = Type.Union([
  Id,
  exactly({ directMembers: Type.Array(Id), directSubgroups: Type.Array(Id) }),
]);

export const organizationCreated = eventType(
  'organization.created.v1',
  exactly({
    uuid: Type.String(),
    name: Type.String(),
    at: At,
    /** The system groups, smallest first; each later one of the chain has the one before as its subgroup. */
    groups: Type.Array(
      exactly({ groupId: Id, name: Type.String(), description: Type.String(), directSubgroups: Type.Array(Id) }),
    ),
  }),
);

/** What the organization decides from now on: only what changed is listed. */
export const organizationSettingsChanged = eventType(
  'organization.settings-changed.v1',
  exactly({
    settings: Type.Optional(ChangeableSettings),
    /** Who holds which permission, by its name on the wire. */
    permissions: Type.Optional(Type.Record(Type.String(), GroupSettingSchema)),
    by: Id,
    at: At,
  }),
);

export const userCreated = eventType(
  'user.created.v1',
  exactly({
    userId: Id,
    email: Type.String(),
    fullName: Type.String(),
    role: Type.Integer(),
    /** null for a person; otherwise the wire's bot types. */
    botType: Type.Union([Type.Integer(), Type.Null()]),
    botOwnerId: Type.Union([Id, Type.Null()]),
    /** Set for the bots that the server itself speaks through. */
    systemBot: Type.Optional(
      Type.Union([Type.Literal('notification'), Type.Literal('welcome'), Type.Literal('email-gateway')]),
    ),
    timezone: Type.String(),
    /** An argon2id hash; absent for accounts that cannot log in with a password. */
    passwordHash: Type.Optional(Type.String()),
    at: At,
  }),
);

export const apiKeyIssued = eventType(
  'user.api-key-issued.v1',
  exactly({
    userId: Id,
    /** Counts the keys of the user; the key itself derives from the server's secret and this number. */
    generation: Type.Integer({ minimum: 1 }),
    /** SHA-256 of the key, hex. */
    hash: Type.String(),
    at: At,
  }),
);

export const channelCreated = eventType(
  'channel.created.v1',
  exactly({
    channelId: Id,
    name: Type.String(),
    description: Type.String(),
    renderedDescription: Type.String(),
    inviteOnly: Type.Boolean(),
    isWebPublic: Type.Boolean(),
    historyPublicToSubscribers: Type.Boolean(),
    /** null inherits the organization's setting, -1 keeps for ever. */
    messageRetentionDays: Type.Union([Type.Integer(), Type.Null()]),
    topicsPolicy: Type.String(),
    folderId: Type.Union([Id, Type.Null()]),
    /** By the setting's name on the wire, e.g. `can_send_message_group`. */
    permissions: Type.Record(Type.String(), GroupSettingSchema),
    isDefault: Type.Boolean(),
    creatorId: Type.Union([Id, Type.Null()]),
    at: At,
  }),
);

/** On the last fact of a request: how many facts the request made, that one included; they stand together in the stream. */
const OfRequest = { facts: Type.Integer({ minimum: 1 }) };

export const channelSubscribed = eventType(
  'channel.subscribed.v1',
  exactly({
    channelId: Id,
    subscribers: Type.Array(exactly({ userId: Id, color: Type.String() }), { minItems: 1 }),
    by: Type.Union([Id, Type.Null()]),
    at: At,
    entails: Type.Optional(
      exactly({
        ...OfRequest,
        /** All are told of the channels that were created. */
        announces: Type.Boolean(),
        /** Those who were subscribed by somebody else are told. */
        tells: Type.Boolean(),
      }),
    ),
  }),
);

export const channelUnsubscribed = eventType(
  'channel.unsubscribed.v1',
  exactly({
    channelId: Id,
    userIds: Type.Array(Id, { minItems: 1 }),
    by: Id,
    at: At,
    /** What they have not read in the channels that they left by this request is to be marked as read; absent in old facts. */
    entails: Type.Optional(exactly(OfRequest)),
  }),
);

export const organizationEventTypes = [
  organizationCreated,
  organizationSettingsChanged,
  userCreated,
  apiKeyIssued,
  channelCreated,
  channelSubscribed,
  channelUnsubscribed,
  ...linkifierEventTypes,
] as const;

export type ChannelCreated = FactOf<typeof channelCreated>;
export type ChannelSubscribed = FactOf<typeof channelSubscribed>;
export type ChannelUnsubscribed = FactOf<typeof channelUnsubscribed>;
/** The facts of the `organization` stream. */
export type OrganizationEvent = FactOf<(typeof organizationEventTypes)[number]>;
