import { Refusal } from '#kernel';
import { ROLE } from './role.js';
import type { User } from './user.js';

/** @throws Refusal UNAUTHORIZED_PRINCIPAL */
export function assertAdministrator({ role }: User): void {
  if (role > ROLE.administrator) throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator');
}

/** @throws Refusal UNAUTHORIZED_PRINCIPAL */
export function assertOwner({ role }: User): void {
  if (role > ROLE.owner) throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner');
}
