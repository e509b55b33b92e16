import type { Directory } from '#people';
import type { Bot } from './bot.js';

/** Whether one of the bot's channels is private now: then its owner alone is shown the bot's settings. */
export function namesPrivate(
  directory: Directory,
  { sendsTo, listensTo }: Pick<Bot, 'sendsTo' | 'listensTo'>,
): boolean {
  return [sendsTo, listensTo].some((id) => id !== null && directory.channel(id)?.inviteOnly === true);
}
