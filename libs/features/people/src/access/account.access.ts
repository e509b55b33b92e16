import { Refusal } from '#kernel';
import type { User } from '#users/model';
import type { Directory } from '../directory/directory.js';

/** Refusal for all users while the organization is deactivated. */
export function realmDeactivated(): Refusal {
  return new Refusal('REALM_DEACTIVATED', 'This organization has been deactivated');
}

/**
 * Checks that an account whose key or password was right can be used.
 * @throws Refusal REALM_DEACTIVATED, USER_DEACTIVATED
 */
export function assertUsableAccount(directory: Pick<Directory, 'isDeactivated' | 'isUsable'>, user: User): void {
  if (directory.isDeactivated) throw realmDeactivated();
  if (!directory.isUsable(user)) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated');
}
