import { mayKnowChannel, mayReadChannel } from '../channels/channel.access.js';
import type { Directory } from '../directory/directory.js';
import { entailing } from '../subscriptions/entailing.js';
import type { ChannelsUnsubscribed, ChannelUnsubscribed } from '../subscriptions/subscription.events.js';
import { unsubscribedTogether } from '../subscriptions/together.js';
import type { User } from '../users/user.js';
import type { BotConfigured, BotEvent } from './bot.events.js';
import type { Bot } from './bot.js';

interface Done {
  readonly by: number;
  readonly at: number;
}

/**
 * A bot with a new owner. It leaves private channels that the owner may not read, and has no default channels that the owner may not
 * know, since who has the key of a bot sees what it sees.
 * @param bot active if it is by then; one that is deactivated keeps its subscriptions
 * @param settings of the bot before it is given to the owner
 */
export function handedOver(
  directory: Directory,
  { userId, botOwnerId: from, isActive }: User,
  settings: Bot,
  owner: User,
  done: Done,
): readonly (BotEvent | ChannelUnsubscribed | ChannelsUnsubscribed)[] {
  return [
    ...withoutUnknown(directory, userId, settings, owner, done),
    { type: 'bot.owner-changed.v1', data: { userId, from, to: owner.userId, ...done } },
    ...(isActive ? leftFor(directory, userId, owner, done) : []),
  ];
}

/** Whether one of the bot's channels is private. */
export function namesPrivate(
  directory: Directory,
  { sendsTo, listensTo }: Pick<Bot, 'sendsTo' | 'listensTo'>,
): boolean {
  return [sendsTo, listensTo].some((id) => id !== null && directory.channel(id)?.inviteOnly === true);
}

function withoutUnknown(
  directory: Directory,
  userId: number,
  settings: Bot,
  owner: User,
  done: Done,
): readonly BotConfigured[] {
  const isUnknown = (channelId: number | null): boolean => {
    const channel = channelId === null ? undefined : directory.channel(channelId);
    return channel !== undefined && !mayKnowChannel(directory, owner, channel);
  };
  const changes = {
    ...(isUnknown(settings.sendsTo) ? { sendsTo: null } : undefined),
    ...(isUnknown(settings.listensTo) ? { listensTo: null } : undefined),
  };
  if (Object.keys(changes).length === 0) return [];
  const isPrivate = { from: settings.isPrivate, to: namesPrivate(directory, { ...settings, ...changes }) };
  return [{ type: 'bot.configured.v1', data: { userId, ...changes, isPrivate, ...done } }];
}

function leftFor(
  directory: Directory,
  userId: number,
  owner: User,
  done: Done,
): readonly (ChannelUnsubscribed | ChannelsUnsubscribed)[] {
  const left: ChannelUnsubscribed[] = [];
  for (const { channelId, active, paused } of directory.subscriptionsOf(userId)) {
    const channel = directory.channel(channelId);
    if (!active && paused !== true) continue;
    if (channel?.inviteOnly !== true || mayReadChannel(directory, owner, channel)) continue;
    left.push({ type: 'channel.unsubscribed.v1', data: { channelId, userIds: [userId], ...done } });
  }
  return entailing(unsubscribedTogether(left));
}
