import type { Directory } from '../directory/directory.js';
import { holdsRealmPermission } from '../realm/realm.access.js';
import type { User } from '../users/user.js';
import { BOT_TYPE } from './bot.js';

/** Whether the actor may make bots of this type, and bring back those that were deactivated. */
export function mayCreateBot(directory: Directory, actor: User, botType: number): boolean {
  if (holdsRealmPermission(directory, actor, 'can_create_bots_group')) return true;
  if (botType !== BOT_TYPE.incomingWebhook) return false;
  return holdsRealmPermission(directory, actor, 'can_create_write_only_bots_group');
}
