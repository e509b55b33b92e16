import type { Channel, Directory, User } from '#organization';

/**
 * Whether the organization or the channel lets the user delete messages there: anybody's, or their own (endpoints.md §4).
 * Whoever asks has been through the door of the message or channel.
 */
export function mayDelete(
  directory: Directory,
  user: User,
  channel: Channel | undefined,
  whose: 'any' | 'own',
): boolean {
  if (directory.holds(user, directory.permission(`can_delete_${whose}_message_group`))) return true;
  if (channel === undefined) return false;
  return directory.holds(user, channel.permissions[`can_delete_${whose}_message_group`]);
}
