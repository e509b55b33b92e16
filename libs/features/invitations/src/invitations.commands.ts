interface ByActor {
  /** User ID; the decider looks the user up again, since roles may have changed meanwhile. */
  readonly actorId: number;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** What is asked for in an invitation. */
export interface AskedTerms {
  readonly role: number;
  readonly channelIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly includesDefaults: boolean;
  /** null for the organization's text, and empty for none. Counts only from administrators. */
  readonly welcome: string | null;
  /** null for an invitation without an end. */
  readonly expiresInMinutes: number | null;
}

export interface SendInvitations extends ByActor {
  readonly type: 'send-invitations';
  /** Each once. */
  readonly addresses: readonly string[];
  readonly notifiesInviter: boolean;
  readonly terms: AskedTerms;
}

export interface CreateInvitationLink extends ByActor {
  readonly type: 'create-invitation-link';
  readonly terms: AskedTerms;
}

export interface RevokeInvitation extends ByActor {
  readonly type: 'revoke-invitation';
  readonly invitationId: number;
  /** Whether a link is meant. */
  readonly isLink: boolean;
}

export interface ResendInvitation extends ByActor {
  readonly type: 'resend-invitation';
  readonly invitationId: number;
}

/** The time of an invitation has come. */
export interface ExpireInvitation {
  readonly type: 'expire-invitation';
  readonly invitationId: number;
  readonly at: number;
}

export interface AcceptInvitation {
  readonly type: 'accept-invitation';
  readonly invitationId: number;
  /** The address that is known to be the new user's. */
  readonly email: string;
  readonly fullName: string;
  /** IANA name, or empty. */
  readonly timezone: string;
  /** Default channel groups that the new user has chosen. */
  readonly defaultGroupIds: readonly number[];
  readonly passwordHash: string;
  readonly apiKeyHash: (userId: number) => string;
  readonly at: number;
}

export type InvitationCommand =
  SendInvitations | CreateInvitationLink | RevokeInvitation | ResendInvitation | ExpireInvitation | AcceptInvitation;
