import { Refusal } from '#kernel';
import { ROLE } from './role.js';
import type { User } from './user.js';

/** @throws Refusal UNAUTHORIZED_PRINCIPAL */
export function assertAdministrator({ role }: User): void {
  if (role > ROLE.administrator) throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator');
}

/** Whether the account is that of an owner who can log in: a bot never is, whatever its role. */
export function isActiveOwner({ role, isActive, botType }: User): boolean {
  return role === ROLE.owner && isActive && botType === null;
}

/** @throws Refusal UNAUTHORIZED_PRINCIPAL */
export function assertOwner({ role }: User): void {
  if (role > ROLE.owner) throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner');
}
