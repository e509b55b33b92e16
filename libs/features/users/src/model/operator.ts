import type { DirectoryParts } from '#directory';
import { ROLE } from './role.js';
import type { User } from './user.js';
import { usersPart } from './users.part.js';

/**
 * The operator of the server, who acts with the rights of an owner and no account. Events that name a user name the
 * Notification Bot, whom clients know; it has no credentials, so nobody else acts by its ID.
 */
export function operatorOf(directory: DirectoryParts): User {
  return asOperator(directory.of(usersPart).systemBot('notification'));
}

/** Whether the user is the operator, and not the bot itself. */
export function isOperator({ systemBot, role }: User): boolean {
  return systemBot === 'notification' && role === ROLE.owner;
}

/** Who acts by a user's ID: the operator by that of the bot, and everybody else as they are. */
export function asOperator(actor: User): User {
  return actor.systemBot === 'notification' ? { ...actor, role: ROLE.owner, botType: null } : actor;
}
