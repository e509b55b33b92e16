import type { DirectoryParts } from '#directory';
import { ROLE, type User } from '#users/model';
import { holdsRealmPermission } from '#realm/model';
import { groupsPart } from '#groups/model';
import { mayAdministerChannel, mayReadChannel } from './channel.access.js';
import type { Channel } from './channel.js';

/** Whether the actor may subscribe others to the channel. */
export function maySubscribeOthers(directory: DirectoryParts, actor: User, channel: Channel): boolean {
  if (actor.role >= ROLE.guest) return false;
  if (!mayReadChannel(directory, actor, channel)) return false;
  if (holdsRealmPermission(directory, actor, 'can_add_subscribers_group')) return true;
  if (!channel.inviteOnly && mayAdministerChannel(directory, actor, channel)) return true;
  return directory.of(groupsPart).holds(actor, channel.permissions.can_add_subscribers_group);
}
