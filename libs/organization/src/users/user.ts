import type { Profile } from '../profile-fields/profile-fields.js';

export interface User {
  readonly userId: number;
  /** The real e-mail address; also the API e-mail while addresses are visible to everyone. */
  readonly email: string;
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
  /** Seconds since the epoch. */
  readonly joinedAt: number;
  readonly passwordHash?: string;
  /** Values of the fields of profiles; absent for none. */
  readonly profile?: Profile;
  /** The address that the user wants, as long as it is not confirmed. */
  readonly requestedEmail?: string;
  readonly apiKey?: { readonly generation: number; readonly hash: string };
}
