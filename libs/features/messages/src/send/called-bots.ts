import { BOT_TYPE } from '#bots/model';
import type { Directory } from '#people';
import { mayReadChannel } from '#channels/model';
import type { User } from '#users/model';
import type { Place } from '../model/messages.events.js';

const NONE: readonly number[] = [];

/** The welcome bot answers whoever writes to it alone. */
function isBetween(place: Place, { userId }: User, bot: User): boolean {
  return 'to' in place && place.to.every((id) => id === userId || id === bot.userId);
}

/**
 * Bots that answer a message: the welcome bot, and outgoing webhook bots whose services a message calls (endpoints.md §9), ascending: those that a person writes to directly, or
 * mentions where the bot may read. What bots say calls none, so bots do not answer each other without end.
 * @param mentioned by name
 */
export function calledBots(
  directory: Directory,
  sender: User,
  place: Place,
  mentioned: readonly number[],
): readonly number[] {
  if (sender.botType !== null) return NONE;
  const named = 'to' in place ? place.to : mentioned;
  const called = named.filter((userId) => {
    const bot = directory.user(userId);
    if (bot?.systemBot === 'welcome') return isBetween(place, sender, bot);
    if (bot?.botType !== BOT_TYPE.outgoingWebhook || !bot.isActive) return false;
    if ('to' in place) return true;
    const channel = directory.channel(place.channelId);
    return channel !== undefined && mayReadChannel(directory, bot, channel);
  });
  return called.length === 0 ? NONE : [...new Set(called)].sort((a, b) => a - b);
}
