import { Refusal } from '#kernel';
import { ROLE, type User } from '#organization';

/** @throws Refusal UNAUTHORIZED_PRINCIPAL */
export function assertAdministrator({ role }: User): void {
  if (role > ROLE.administrator) throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator');
}

/** @throws Refusal UNAUTHORIZED_PRINCIPAL */
export function assertOwner({ role }: User): void {
  if (role > ROLE.owner) throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner');
}

/** The organization's domains are no business of guests (rules.md §14). */
export function mayKnowDomains({ role }: User): boolean {
  return role < ROLE.guest;
}
