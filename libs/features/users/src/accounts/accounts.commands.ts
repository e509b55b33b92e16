import type { NewSecrets } from '#bots/model';
import type { ChangeProfile } from '../profile/profile-data.decider.js';

interface OnAccount {
  /** User ID of the actor; the decider looks the user up again, since roles may have changed meanwhile. */
  readonly actorId: number;
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** The account of another user. */
export interface DeactivateUser extends OnAccount {
  readonly type: 'deactivate-user';
  /** What the user is told by mail beside the fact; undefined sends no mail. */
  readonly comment?: string | undefined;
}

export interface ReactivateUser extends OnAccount {
  readonly type: 'reactivate-user';
  /** Of a bot that gets another owner. */
  readonly secrets: NewSecrets;
}

/** Undefined stays as it is. */
export interface ChangeUser extends OnAccount {
  readonly type: 'change-user';
  readonly fullName?: string | undefined;
  readonly role?: number | undefined;
  /** Counts at once. */
  readonly email?: string | undefined;
  readonly profile?: ChangeProfile | undefined;
}

/** One's own account. */
export interface DeactivateOwnAccount {
  readonly type: 'deactivate-own-account';
  readonly actorId: number;
  readonly at: number;
}

/** One's own account. Undefined stays as it is. */
export interface ChangeOwnAccount {
  readonly type: 'change-own-account';
  readonly actorId: number;
  readonly at: number;
  readonly fullName?: string | undefined;
  /** The address that the user wants. */
  readonly email?: string | undefined;
  /** IANA name. */
  readonly timezone?: string | undefined;
  /** Who sees the e-mail address: a value of the setting `email_address_visibility`. */
  readonly emailVisibility?: number | undefined;
  /** Hash of the new password; the old one has been given. */
  readonly passwordHash?: string | undefined;
}

export type AccountCommand = DeactivateUser | ReactivateUser | ChangeUser | DeactivateOwnAccount | ChangeOwnAccount;
