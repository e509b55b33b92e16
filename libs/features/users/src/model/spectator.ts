import { ROLE } from './role.js';
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
