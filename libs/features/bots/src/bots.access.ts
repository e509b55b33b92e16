import { badRequest } from '#kernel';
import { assertOwner, ROLE, type User } from '#users/model';
import type { Directory } from '#people';
import { mayCreateBot } from './model/bot-creation.access.js';
import { isPrivateBot } from './model/bot-privacy.js';

/** Access to bots (endpoints.md §9): their owners, and administrators. */

/** Whether the viewer is shown the bot's settings and key. */
export function maySeeBot(directory: Directory, viewer: User, bot: User): boolean {
  if (bot.botType === null || bot.systemBot !== undefined) return false;
  if (bot.botOwnerId === viewer.userId) return true;
  // Administrators may not know the channel that it names.
  if (isPrivateBot(directory, bot.userId)) return false;
  return viewer.role <= ROLE.administrator;
}

/**
 * A bot that the actor may change.
 * @throws Refusal BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export function accessBot(directory: Directory, actor: User, botId: number): User {
  const bot = directory.user(botId);
  if (bot === undefined || bot.botType === null || bot.systemBot !== undefined) throw badRequest('No such bot');
  if (bot.userId === actor.userId) throw badRequest('Insufficient permission');
  if (bot.role === ROLE.owner) assertOwner(actor);
  if (actor.role <= ROLE.administrator) return bot;
  if (bot.botOwnerId !== actor.userId) throw badRequest('Insufficient permission');
  return bot;
}

/** @throws Refusal BAD_REQUEST */
export function assertMayCreateBot(directory: Directory, actor: User, botType: number): void {
  assertOwnsBots(actor);
  if (!mayCreateBot(directory, actor, botType)) throw badRequest('Insufficient permission');
}

/** Guests and bots own no bots. @throws Refusal BAD_REQUEST */
export function assertOwnsBots(actor: User): void {
  if (actor.botType !== null) throw badRequest('This endpoint does not accept bot requests.');
  if (actor.role >= ROLE.guest) throw badRequest('Not allowed for guest users');
}
