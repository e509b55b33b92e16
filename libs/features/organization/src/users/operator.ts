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

/** Whether the user is the operator, and not the bot itself. */
export function isOperator({ systemBot, role }: User): boolean {
  return systemBot === 'notification' && role === ROLE.owner;
}

/** Who acts by a user's ID: the operator by that of the bot, and everybody else as they are. */
export function asOperator(actor: User): User {
  return actor.systemBot === 'notification' ? { ...actor, role: ROLE.owner, botType: null } : actor;
}
