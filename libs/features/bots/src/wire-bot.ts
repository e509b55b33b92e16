import type { Directory } from '#people';
import { avatarAddress, type User } from '#users/model';
import type { ApiKeys } from '#users';
import {
  described,
  type EventSchemas,
  integer,
  list,
  named,
  nullable,
  object,
  partial,
  text,
  truth,
  type Wire,
} from '#wire';
import { botsPart } from './model/bots.part.js';

export const DEFAULT_CHANNEL_FIELDS = {
  default_sending_stream: described(nullable(text), 'Name of a channel.'),
  default_events_register_stream: described(nullable(text), 'Name of a channel.'),
  default_all_public_streams: truth,
};
export type DefaultChannels = Wire<ReturnType<typeof object<typeof DEFAULT_CHANNEL_FIELDS>>>;

const ServiceSchema = named('BotService', object({ base_url: text, interface: integer, token: text }));

/** A bot in wire format, for those who administer it (events.md §4, `realm_bot`). */
const BotSchema = named(
  'Bot',
  object({
    user_id: integer,
    full_name: text,
    email: text,
    bot_type: nullable(integer),
    is_active: truth,
    api_key: described(text, 'Empty for those who are not shown it.'),
    ...DEFAULT_CHANNEL_FIELDS,
    avatar_url: text,
    owner_id: nullable(integer),
    services: list(ServiceSchema),
  }),
);
export type WireBot = Wire<typeof BotSchema>;

export const botEventSchemas = {
  'realm_bot/add': { bot: BotSchema },
  'realm_bot/update': {
    bot: object({
      user_id: integer,
      ...partial({
        full_name: text,
        email: text,
        is_active: truth,
        api_key: text,
        ...DEFAULT_CHANNEL_FIELDS,
        avatar_url: text,
        owner_id: nullable(integer),
        services: list(ServiceSchema),
      }),
    }),
  },
  'realm_bot/delete': { bot: object({ user_id: integer }) },
} satisfies EventSchemas;

export const botFieldSchemas = { realm_bots: list(BotSchema) };

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
export function services(directory: Directory, bot: User, isOwner: boolean): WireBot['services'] {
  const { service } = directory.of(botsPart).get(bot.userId);
  if (service === undefined) return [];
  const isShown = isOwner || bot.apiKey?.isOwnersAlone !== true;
  return [{ base_url: service.url, interface: service.interface, token: isShown ? service.token : '' }];
}
