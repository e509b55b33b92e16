import { badRequest, Refusal } from '#kernel';
import { type Directory, mayKnowUser } from '#people';
import { asOperator } from '../model/operator.js';
import { assertOwner, isActiveOwner } from '../model/role.access.js';
import { ROLE } from '../model/role.js';
import type { User } from '../model/user.js';

/** The actor as they are now. @throws Refusal USER_DEACTIVATED */
export function presentActor(directory: Directory, actorId: number): User {
  const actor = directory.user(actorId);
  if (actor?.isActive !== true) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated');
  return asOperator(actor);
}

/**
 * An account whose access is to be changed: `accessProfile`, and that of an owner, only by owners (endpoints.md §9).
 * @throws Refusal BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export function accessAccount(directory: Directory, actor: User, userId: number): User {
  const user = accessProfile(directory, actor, userId);
  if (user.role === ROLE.owner) assertOwner(actor);
  return user;
}

/**
 * An account whose name and profile are to be changed: by an administrator, their own included, or a bot's by its owner. The
 * server's bots are changed by nobody.
 * @throws Refusal BAD_REQUEST
 */
export function accessProfile(directory: Directory, actor: User, userId: number): User {
  const user = directory.user(userId);
  if (user === undefined || user.systemBot !== undefined) throw badRequest('No such user');
  if (!mayKnowUser(directory, actor, user)) throw badRequest('No such user');
  if (!mayAdminister(actor, user)) throw badRequest('Insufficient permission');
  return user;
}

function mayAdminister(actor: User, user: User): boolean {
  if (actor.role <= ROLE.administrator) return true;
  if (actor.role >= ROLE.guest || user.botType === null) return false;
  return user.botOwnerId === actor.userId;
}

/** Whether the organization would have no owner who can log in without this one. */
export function isLastOwner(directory: Directory, user: User): boolean {
  if (!isActiveOwner(user)) return false;
  for (const other of directory.users()) if (other.userId !== user.userId && isActiveOwner(other)) return false;
  return true;
}
