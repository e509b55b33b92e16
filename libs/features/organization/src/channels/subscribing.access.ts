import type { Directory } from '../directory/directory.js';
import { ROLE } from '../groups/system-groups.js';
import { holdsRealmPermission } from '../realm/realm.access.js';
import type { User } from '../users/user.js';
import { mayAdministerChannel, mayReadChannel } from './channel.access.js';
import type { Channel } from './channel.js';

/** Whether the actor may subscribe others to the channel. */
export function maySubscribeOthers(directory: Directory, actor: User, channel: Channel): boolean {
  if (actor.role >= ROLE.guest) return false;
  if (!mayReadChannel(directory, actor, channel)) return false;
  if (holdsRealmPermission(directory, actor, 'can_add_subscribers_group')) return true;
  if (!channel.inviteOnly && mayAdministerChannel(directory, actor, channel)) return true;
  return directory.holds(actor, channel.permissions.can_add_subscribers_group);
}
