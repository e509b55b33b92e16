/** An invitation that is open: neither accepted, revoked nor found to be expired. */
export interface Invitation {
  readonly invitationId: number;
  /** User ID of the inviter. */
  readonly by: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** Seconds since the epoch; absent for an invitation without an end. */
  readonly expiresAt?: number;
  /** Role of the new account. */
  readonly role: number;
  readonly channelIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly includesDefaults: boolean;
  /** Absent for the organization's text, and empty for none. */
  readonly welcome?: string;
  /** Absent for a link that can be used by many. */
  readonly personal?: {
    readonly email: string;
    readonly notifiesInviter: boolean;
    /** Number of mails that were sent for it. */
    readonly mails: number;
  };
}

/** Whether the invitation has ended by its time. */
export function isExpired({ expiresAt }: Invitation, at: number): boolean {
  return expiresAt !== undefined && expiresAt <= at;
}
