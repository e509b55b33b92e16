import { badRequest } from '#kernel';
import type { Directory } from '#people';
import { holdsRealmPermission } from '#realm/model';
import type { User } from '#users/model';
import { BOT_TYPE } from './bot.js';

/** Active bots of one person (rules.md §14): each costs what an account costs. */
export const ACTIVE_BOTS_MAX = 100;

/** @throws Refusal BAD_REQUEST if the person cannot own another active bot */
export function assertRoomForBot(directory: Directory, ownerId: number): void {
  let count = 0;
  for (const bot of directory.bots()) if (bot.botOwnerId === ownerId && bot.isActive) count++;
  if (count >= ACTIVE_BOTS_MAX) throw badRequest(`A person can own at most ${ACTIVE_BOTS_MAX} active bots.`);
}

/** Whether the actor may make bots of this type, and bring back those that were deactivated. */
export function mayCreateBot(directory: Directory, actor: User, botType: number): boolean {
  if (holdsRealmPermission(directory, actor, 'can_create_bots_group')) return true;
  if (botType !== BOT_TYPE.incomingWebhook) return false;
  return holdsRealmPermission(directory, actor, 'can_create_write_only_bots_group');
}
