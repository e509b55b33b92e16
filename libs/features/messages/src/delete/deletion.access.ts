import type { Channel } from '#channels/model';
import type { Directory } from '#people';
import { holdsRealmPermission } from '#realm/model';
import { ROLE, type User } from '#users/model';

/**
 * Whether the user may delete messages there: any message, or their own (endpoints.md §4). A guest may delete no message of
 * another user, even when a setting names the guest. Access to the message or channel is checked by the caller.
 */
export function mayDelete(
  directory: Directory,
  user: User,
  channel: Channel | undefined,
  whose: 'any' | 'own',
): boolean {
  if (holdsRealmPermission(directory, user, `can_delete_${whose}_message_group`)) return true;
  if (channel === undefined || (whose === 'any' && user.role >= ROLE.guest)) return false;
  return directory.holds(user, channel.permissions[`can_delete_${whose}_message_group`]);
}
