import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** Counts up from 1 over invitations of both kinds, and is never used again. */
const invitationId = Id;

/** What a new user gets by an invitation. */
const Terms = {
  role: Type.Integer(),
  /** Ascending. */
  channelIds: Type.Array(Id),
  groupIds: Type.Array(Id),
  /** Also the default channels of the time when the user joins. */
  includesDefaults: Type.Boolean(),
  /** Markdown that the welcome bot adds to its greeting; absent for the organization's, and empty for none. */
  welcome: Type.Optional(Type.String()),
  /** Absent for an invitation without an end. */
  expiresAt: Type.Optional(At),
};

/** People are invited by mail, each for one account. The key of the link is derived from the ID, and never stored. */
export const invitationsSent = organizationEvent(
  'invitations.sent.v1',
  exactly({
    invitations: Type.Array(exactly({ invitationId, email: Type.String() }), { minItems: 1 }),
    ...Terms,
    /** Whether the inviter is told when the account exists. */
    notifiesInviter: Type.Boolean(),
    by: Id,
    at: At,
    entails: Type.Literal('mail'),
  }),
);

/** A link that anybody who has it can join by. */
export const invitationLinkCreated = organizationEvent(
  'invitation-link.created.v1',
  exactly({ invitationId, ...Terms, by: Id, at: At }),
);

/** The mail of an invitation is sent once more. */
export const invitationResent = organizationEvent(
  'invitation.resent.v1',
  exactly({
    invitationId,
    /** Number of this mail of the invitation. */
    mail: Type.Integer({ minimum: 2 }),
    by: Id,
    at: At,
    entails: Type.Literal('mail'),
  }),
);

/** Invitations end: by the inviter or an administrator, with the account of the inviter, or since the invitee has an account. */
export const invitationsRevoked = organizationEvent(
  'invitations.revoked.v1',
  exactly({
    invitationIds: Type.Array(Id, { minItems: 1 }),
    /** Who had sent or made them, each once. */
    inviterIds: Type.Array(Id, { minItems: 1 }),
    at: At,
  }),
);

export const invitationExpired = organizationEvent(
  'invitation.expired.v1',
  exactly({ invitationId, inviterId: Id, at: At }),
);

/** Somebody has joined. The invitation ends, unless it is a link. */
export const invitationAccepted = organizationEvent(
  'invitation.accepted.v1',
  exactly({
    invitationId,
    /** It stays open. */
    isLink: Type.Boolean(),
    inviterId: Id,
    /** The new account. */
    userId: Id,
    at: At,
    /** The inviter is told. */
    entails: Type.Optional(Type.Literal('notice')),
  }),
);

export const invitationEventTypes = [
  invitationsSent,
  invitationLinkCreated,
  invitationResent,
  invitationsRevoked,
  invitationExpired,
  invitationAccepted,
] as const;

export type InvitationEvent = EventOf<(typeof invitationEventTypes)[number]>;
