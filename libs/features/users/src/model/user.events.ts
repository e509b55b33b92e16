import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { credential, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();

/** Both are absent while everyone sees the e-mail address. */
const Hidden = {
  /** Who sees it: a value of the setting `email_address_visibility`. */
  emailVisibility: Type.Optional(Type.Integer()),
  /** What stands for it. */
  apiEmail: Type.Optional(Type.String()),
};

export const userCreated = organizationEvent(
  'user.created.v1',
  exactly({
    userId: Id,
    email: Type.String(),
    fullName: Type.String(),
    role: Type.Integer(),
    /** null for a human; otherwise the wire's bot type. */
    botType: Type.Union([Type.Integer(), Type.Null()]),
    botOwnerId: Type.Union([Id, Type.Null()]),
    /** Set for the server's own bots. */
    systemBot: Type.Optional(
      Type.Union([Type.Literal('notification'), Type.Literal('welcome'), Type.Literal('email-gateway')]),
    ),
    timezone: Type.String(),
    ...Hidden,
    /** An argon2id hash; absent for accounts that cannot log in with a password. */
    passwordHash: Type.Optional(credential(Type.String())),
    at: At,
    entails: Type.Optional(
      exactly({
        /** What the new user is told by a direct message. */
        welcome: Type.Optional(Type.String()),
        /** Personal settings that the new user begins with. */
        settings: Type.Optional(
          Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Integer(), Type.String()])),
        ),
        /** The channel in which the new user is announced. */
        announcedIn: Type.Optional(Id),
        /** Who made the account for its user, and finds the announcement read; absent for who joined, and in old events. */
        announcedBy: Type.Optional(Id),
        /** The new user begins with recent messages of the public channels that they are subscribed to; absent in old events. */
        history: Type.Optional(Type.Literal(true)),
      }),
    ),
  }),
);

export const apiKeyIssued = organizationEvent(
  'user.api-key-issued.v1',
  exactly({
    userId: Id,
    /** Number of the user's key; the key is derived from the server's secret and this number. */
    generation: Type.Integer({ minimum: 1 }),
    /** SHA-256 of the key, hex. */
    hash: credential(Type.String()),
    /** Administrators are not shown it: the key of a bot that was given to another owner. */
    isOwnersAlone: Type.Optional(Type.Literal(true)),
    at: At,
  }),
);

/** The account cannot be used any more: no login, no key, no queue. Its messages and what it is subscribed to stay. */
export const userDeactivated = organizationEvent(
  'user.deactivated.v1',
  exactly({
    userId: Id,
    by: Id,
    at: At,
    entails: Type.Optional(
      exactly({
        /** What the user is told by mail beside the fact; may be empty. */
        comment: Type.String(),
      }),
    ),
  }),
);

export const userReactivated = organizationEvent('user.reactivated.v1', exactly({ userId: Id, by: Id, at: At }));

/** Only what changed is listed. */
export const userChanged = organizationEvent(
  'user.changed.v1',
  exactly({
    userId: Id,
    fullName: Type.Optional(Type.String()),
    /** Both, since which groups and channels are gained or lost depends on both. */
    role: Type.Optional(exactly({ from: Type.Integer(), to: Type.Integer() })),
    /** The e-mail address. */
    email: Type.Optional(Type.String()),
    /** IANA name. */
    timezone: Type.Optional(Type.String()),
    /** An argon2id hash. */
    passwordHash: Type.Optional(credential(Type.String())),
    by: Id,
    at: At,
    entails: Type.Optional(
      exactly({
        /** The user is told at both addresses. */
        formerEmail: Type.Optional(Type.String()),
        /** By the role, the user may audit from now on, or may not any more: all owners are told. */
        auditor: Type.Optional(Type.Union([Type.Literal('gained'), Type.Literal('lost')])),
      }),
    ),
  }),
);

/** The user wants another e-mail address. It counts once it is confirmed from there. */
export const emailChangeRequested = organizationEvent(
  'user.email-change-requested.v1',
  exactly({
    userId: Id,
    email: Type.String(),
    at: At,
    /** Absent in requests from before there was mail. */
    entails: Type.Optional(Type.Literal('mail')),
  }),
);

/** Who sees the user's e-mail address, from now on. Both values, since who gains or loses it depends on both. */
export const emailVisibilityChanged = organizationEvent(
  'user.email-visibility-changed.v1',
  exactly({
    userId: Id,
    visibility: exactly({ from: Type.Integer(), to: Type.Integer() }),
    /** What stands for the address; absent when everyone sees it. */
    apiEmail: Type.Optional(Type.String()),
    at: At,
  }),
);

/**
 * Who has, as a member, become a full member by time or by a change of `waiting_period_threshold`, and who is none any more. It
 * says so of users in any role, for the time when they are members. New users wait when the threshold says so.
 */
export const waitingChanged = organizationEvent(
  'user.waiting-changed.v1',
  exactly({
    /** Their waiting is over. */
    over: Type.Array(Id),
    /** They wait from now on. */
    begun: Type.Array(Id),
    at: At,
  }),
);

/** A SHA-256 of content in the store of files, hexadecimal. */
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** The user has another picture. */
export const avatarChanged = organizationEvent(
  'user.avatar-changed.v1',
  exactly({
    userId: Id,
    /** null for the one that the server draws. */
    avatar: Type.Union([
      exactly({
        /** Hexadecimal digits, new with each picture: the name in its address. */
        name: Type.String({ pattern: '^[0-9a-f]{40}$' }),
        /** Two PNG images, 100 and 500 pixels wide. */
        image: Hash,
        medium: Hash,
      }),
      Type.Null(),
    ]),
    /** Of the picture of this user: 1 when a new account comes with it. */
    version: Type.Integer({ minimum: 1 }),
    by: Id,
    at: At,
  }),
);

export const botOwnerChanged = organizationEvent(
  'bot.owner-changed.v1',
  exactly({
    userId: Id,
    from: Type.Union([Id, Type.Null()]),
    to: Id,
    by: Id,
    at: At,
    /** The new owner is told. Absent in events from before they were. */
    entails: Type.Optional(Type.Literal('notice')),
  }),
);

export const userEventTypes = [
  userCreated,
  apiKeyIssued,
  userDeactivated,
  userReactivated,
  userChanged,
  emailChangeRequested,
  emailVisibilityChanged,
  waitingChanged,
  avatarChanged,
] as const;

export type UserEvent = EventOf<(typeof userEventTypes)[number]>;
export type WaitingChanged = EventOf<typeof waitingChanged>;
export type AvatarChanged = EventOf<typeof avatarChanged>;
export type EmailVisibilityChanged = EventOf<typeof emailVisibilityChanged>;
export type UserChanged = EventOf<typeof userChanged>;
export type ActivityChanged = EventOf<typeof userDeactivated> | EventOf<typeof userReactivated>;
export type BotOwnerChanged = EventOf<typeof botOwnerChanged>;
