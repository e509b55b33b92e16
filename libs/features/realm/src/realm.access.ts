import { Refusal } from '#kernel';
import { type Directory, realmDeactivated } from '#people';
import { ROLE, type User } from '#users/model';

/** The actor as they are now. @throws Refusal USER_DEACTIVATED, REALM_DEACTIVATED */
export function presentActor(directory: Directory, actorId: number): User {
  if (directory.isDeactivated) throw realmDeactivated();
  const actor = directory.user(actorId);
  if (actor?.isActive !== true) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated');
  return actor;
}

/** The organization's domains are no business of guests (rules.md §14). */
export function mayKnowDomains({ role }: User): boolean {
  return role < ROLE.guest;
}
