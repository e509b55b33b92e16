import { notLoggedIn } from '#kernel';
import type { Directory } from '../directory/directory.js';
import { ROLE } from '../groups/system-groups.js';
import type { User } from './user.js';

/**
 * A reader without an account. It has the rights of a guest without subscriptions at most; it is not active, so it holds
 * no permission, whatever a setting names.
 */
export const SPECTATOR: User = {
  userId: 0,
  email: '',
  fullName: '',
  role: ROLE.guest,
  isActive: false,
  botType: null,
  botOwnerId: null,
  timezone: '',
  avatarVersion: 1,
  joinedAt: 0,
};

export function isSpectator({ userId }: Pick<User, 'userId'>): boolean {
  return userId === SPECTATOR.userId;
}

/**
 * The caller, or the spectator for an anonymous call.
 * @throws Refusal UNAUTHORIZED where nobody reads without an account
 */
export function callerOrSpectator(directory: Directory, caller: User | undefined): User {
  if (caller !== undefined) return caller;
  if (!directory.settings.enable_spectator_access) throw notLoggedIn();
  if (directory.organization.deactivated !== undefined) throw notLoggedIn();
  return SPECTATOR;
}
