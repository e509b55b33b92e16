import type { Directory } from '../directory/directory.js';
import { ROLE } from '../groups/system-groups.js';
import type { User } from './user.js';

/**
 * The operator of the server, who acts with the rights of an owner and no account. Events that name a user name the
 * Notification Bot, whom clients know; it has no credentials, so nobody else acts by its ID.
 */
export function operatorOf(directory: Directory): User {
  return asOperator(directory.systemBot('notification'));
}

export function isOperator({ systemBot }: User): boolean {
  return systemBot === 'notification';
}

/** The actor, with the rights of the operator if it is the operator. */
export function asOperator(bot: User): User {
  return isOperator(bot) ? { ...bot, role: ROLE.owner, botType: null } : bot;
}
