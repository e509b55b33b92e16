import { notLoggedIn } from '#kernel';
import { SPECTATOR, type User } from '#users/model';
import type { Directory } from '../directory/directory.js';

/**
 * The caller, or the spectator for an anonymous call.
 * @throws Refusal UNAUTHORIZED where nobody reads without an account
 */
export function callerOrSpectator(directory: Directory, caller: User | undefined): User {
  if (caller !== undefined) return caller;
  if (!directory.settings.enable_spectator_access) throw notLoggedIn();
  if (directory.organization.deactivated !== undefined) throw notLoggedIn();
  return SPECTATOR;
}
