import {
  mayKnowChannel,
  mayReadChannel,
  entailing,
  type ChannelsUnsubscribed,
  type ChannelUnsubscribed,
  unsubscribedTogether,
} from '#channels/model';
import type { Directory } from '#people';
import type { UserEvent, User } from '#users/model';
import type { BotConfigured, BotEvent } from './bot.events.js';
import type { Bot } from './bot.js';
import { namesPrivate } from './bot-privacy.js';

interface Done {
  readonly by: number;
  readonly at: number;
}

type ApiKeyIssued = Extract<UserEvent, { type: 'user.api-key-issued.v1' }>;
type HandedOver = ApiKeyIssued | BotEvent | ChannelUnsubscribed | ChannelsUnsubscribed;

/** Secrets of a bot that its new owner alone knows. */
export interface NewSecrets {
  /** Hash of the bot's API key of this generation. */
  readonly apiKeyHash: (userId: number, generation: number) => string;
  /** By which the service of an outgoing webhook bot recognizes this server. */
  readonly serviceToken: string;
}

/**
 * A bot with a new owner. Its secrets change first, since who knows them acts with the rights of the owner. It leaves private channels that the owner may not read, and has no default channels that the owner may not
 * know, since who has the key of a bot sees what it sees.
 * @param bot active if it is by then; one that is deactivated keeps its subscriptions
 * @param settings of the bot before it is given to the owner
 */
export function handedOver(
  directory: Directory,
  { userId, botOwnerId: from, isActive, apiKey }: User,
  settings: Bot,
  owner: User,
  { apiKeyHash, serviceToken }: NewSecrets,
  done: Done,
): readonly HandedOver[] {
  const generation = (apiKey?.generation ?? 0) + 1;
  const hash = apiKeyHash(userId, generation);
  const [hidden] = withoutUnknown(directory, userId, settings, owner, done);
  const isPrivate = hidden?.data.isPrivate.to ?? namesPrivate(directory, settings);
  return [
    ...(hidden === undefined ? [] : [hidden]),
    { type: 'user.api-key-issued.v1', data: { userId, generation, hash, isOwnersAlone: true, at: done.at } },
    { type: 'bot.owner-changed.v1', data: { userId, from, to: owner.userId, ...done, entails: 'notice' } },
    // The former owner is told of none of it.
    ...withToken(userId, settings, isPrivate, serviceToken, done),
    ...(isActive ? leftFor(directory, userId, owner, done) : []),
  ];
}

function withToken(
  userId: number,
  { service }: Bot,
  isPrivate: boolean,
  token: string,
  done: Done,
): readonly BotConfigured[] {
  if (service === undefined) return [];
  const changes = { service: { ...service, token }, isPrivate: { from: isPrivate, to: isPrivate } };
  return [{ type: 'bot.configured.v1', data: { userId, ...changes, ...done } }];
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
  const isPrivate = {
    from: namesPrivate(directory, settings),
    to: namesPrivate(directory, { ...settings, ...changes }),
  };
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
