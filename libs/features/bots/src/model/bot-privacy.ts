import type { Directory } from '#people';
import type { Bot } from './bot.js';
import { botsPart } from './bots.part.js';

/** Whether one of the channels is private now. */
export function namesPrivate(
  directory: Directory,
  { sendsTo, listensTo }: Pick<Bot, 'sendsTo' | 'listensTo'>,
): boolean {
  return [sendsTo, listensTo].some((id) => id !== null && directory.channel(id)?.inviteOnly === true);
}

/** Whether the bot is shown to its owner alone. */
export function isPrivateBot(directory: Directory, botId: number): boolean {
  return namesPrivate(directory, directory.of(botsPart).get(botId));
}
