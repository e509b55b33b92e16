import { Refusal } from '#kernel';
import { ROLE, type User } from '#users/model';

/** @throws Refusal UNAUTHORIZED_PRINCIPAL */
export function assertMaySetRetention({ role }: User): void {
  if (role > ROLE.owner) throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner');
}
