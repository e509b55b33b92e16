import type { JsonObject } from '#kernel';
import { type Directory, avatarAddress, type User } from '#organization';
import type { ApiKeys } from '#users';
import { botsPart } from './model/bots.part.js';

/** A bot in wire format, for those who administer it (events.md §4, `realm_bot`). */
export interface WireBot extends DefaultChannels {
  readonly user_id: number;
  readonly full_name: string;
  readonly email: string;
  readonly bot_type: number | null;
  readonly is_active: boolean;
  /** Empty for who is not shown it. */
  readonly api_key: string;
  readonly avatar_url: string;
  readonly owner_id: number | null;
  readonly services: readonly JsonObject[];
}

export interface DefaultChannels {
  /** Name of a channel. */
  readonly default_sending_stream: string | null;
  /** Name of a channel. */
  readonly default_events_register_stream: string | null;
  readonly default_all_public_streams: boolean;
}

export function wireBot(directory: Directory, apiKeys: ApiKeys, viewer: User, bot: User): WireBot {
  return {
    user_id: bot.userId,
    full_name: bot.fullName,
    email: bot.email,
    bot_type: bot.botType,
    is_active: bot.isActive,
    api_key: shownKey(apiKeys, viewer, bot),
    ...defaultChannels(directory, bot.userId),
    avatar_url: avatarAddress(bot),
    owner_id: bot.botOwnerId,
    services: services(directory, bot, viewer.userId === bot.botOwnerId),
  };
}

export function keyOf(apiKeys: ApiKeys, { userId, apiKey }: User): string {
  return apiKeys.keyOf(userId, apiKey?.generation ?? 1);
}

/** The key of a bot that was given to another owner opens what that owner may read, which not all administrators may. */
export function shownKey(apiKeys: ApiKeys, viewer: User, bot: User): string {
  if (bot.apiKey?.isOwnersAlone === true && bot.botOwnerId !== viewer.userId) return '';
  return keyOf(apiKeys, bot);
}

export function defaultChannels(directory: Directory, botId: number): DefaultChannels {
  const { sendsTo, listensTo, listensToAll } = directory.of(botsPart).get(botId);
  return {
    default_sending_stream: nameOf(directory, sendsTo),
    default_events_register_stream: nameOf(directory, listensTo),
    default_all_public_streams: listensToAll,
  };
}

export function nameOf(directory: Directory, channelId: number | null): string | null {
  return (channelId === null ? undefined : directory.channel(channelId)?.name) ?? null;
}

/** The token of a bot that was given to another owner is that owner's, as its key is. */
export function services(directory: Directory, bot: User, isOwner: boolean): readonly JsonObject[] {
  const { service } = directory.of(botsPart).get(bot.userId);
  if (service === undefined) return [];
  const isShown = isOwner || bot.apiKey?.isOwnersAlone !== true;
  return [{ base_url: service.url, interface: service.interface, token: isShown ? service.token : '' }];
}
