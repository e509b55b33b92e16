import type { Profile } from './profile-fields/profile-fields.js';

/** An uploaded picture of a user. */
export interface Avatar {
  /** Name in its address: 40 hexadecimal digits, which nobody guesses. */
  readonly name: string;
  /** Content in the store of files: PNG images, 100 and 500 pixels wide. */
  readonly image: string;
  readonly medium: string;
}

export interface User {
  readonly userId: number;
  /** The real e-mail address. Others are shown `apiEmail(user)`, and this one if `mayKnowEmail`. */
  readonly email: string;
  /** Who sees the real address (`EMAIL_VISIBILITY`); absent for everyone. */
  readonly emailVisibility?: number;
  /** What stands for the real address while not everyone sees it. */
  readonly apiEmail?: string;
  readonly fullName: string;
  readonly role: number;
  readonly isActive: boolean;
  /** Stands for a user whom the viewer may not know (`unknownUser`); never recorded. */
  readonly isUnknown?: true;
  readonly botType: number | null;
  readonly botOwnerId: number | null;
  readonly systemBot?: 'notification' | 'welcome' | 'email-gateway';
  /** As a member, the user is no full member yet (`waiting_period_threshold`). */
  readonly isWaiting?: true;
  readonly timezone: string;
  readonly avatarVersion: number;
  /** The picture that the user has uploaded; absent for the one that the server draws. */
  readonly avatar?: Avatar;
  /** Seconds since the epoch. */
  readonly joinedAt: number;
  /** When the account was last deactivated, in seconds since the epoch; stays after a reactivation. */
  readonly deactivatedAt?: number;
  /**
   * Position in the log of the last deactivation, or of the change of a bot's owner; event queues that were registered before it have
   * ended for good.
   */
  readonly queuesEndedAt?: number;
  readonly passwordHash?: string;
  /** Values of the fields of profiles; absent for none. */
  readonly profile?: Profile;
  /** The address that the user wants, as long as it is not confirmed. */
  readonly requestedEmail?: string;
  /** When they asked for it, in seconds since the epoch; absent for requests from before it was kept. */
  readonly emailRequestedAt?: number;
  readonly apiKey?: {
    readonly generation: number;
    readonly hash: string;
    /** Administrators are not shown it: the key of a bot that was given to another owner. */
    readonly isOwnersAlone?: true;
  };
}
