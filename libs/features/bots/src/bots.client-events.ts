import { Injectable } from '@nestjs/common';
import {
  ClientEvents,
  type Derivations,
  type FeedEntry,
  noClientEvents,
  type Presentable,
  type Recipient,
} from '#feed';
import { avatarAddress, ROLE, type UserEvent } from '#users/model';
import type { ChannelChanged } from '#channels/model';
import { Directory } from '#people';
import { ApiKeys } from '#users';
import { maySeeBot } from './bots.access.js';
import { nameOf, services, shownKey, wireBot, type botEventSchemas } from './wire-bot.js';
import type { BotConfigured, BotEvent } from './model/bot.events.js';
import { isPrivateBot, namesPrivate } from './model/bot-privacy.js';
import { botsPart } from './model/bots.part.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof botEventSchemas>;

type ChangedBot = Extract<Told, { readonly op: 'update' }>['bot'];

/** A new bot and a key are looked up when they are shown: queues keep no keys. */
type Body =
  | { readonly op: 'add' | 'delete' | 'key'; readonly userId: number }
  | { readonly op: "owner's key"; readonly userId: number }
  | { readonly op: 'update'; readonly bot: ChangedBot };

/** What owners of bots, and administrators, are told of bots (events.md §4): `realm_bot` add, update and delete. */
@Injectable()
export class BotClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<UserEvent | BotEvent | ChannelChanged> = {
    'user.created.v1': ({ data }, directory) =>
      forThoseWhoSee(directory, data.userId, { op: 'add', userId: data.userId }),
    'user.api-key-issued.v1': ({ data: { userId, generation, isOwnersAlone } }, directory) => {
      // The first key comes with the new bot.
      if (generation === 1) return [];
      if (isOwnersAlone !== true) return forThoseWhoSee(directory, userId, { op: 'key', userId });
      const owner = directory.user(userId)?.botOwnerId ?? null;
      return entry(owner === null ? [] : [owner], { op: "owner's key", userId });
    },
    'user.deactivated.v1': ({ data: { userId } }, directory) => updated(directory, userId, { is_active: false }),
    'user.reactivated.v1': ({ data: { userId } }, directory) => updated(directory, userId, { is_active: true }),
    'user.changed.v1': ({ data: { userId, fullName, role } }, directory) => [
      ...(fullName === undefined ? [] : updated(directory, userId, { full_name: fullName })),
      ...(role === undefined ? [] : shownByRole(directory, userId, role)),
    ],
    'user.email-change-requested.v1': noClientEvents,
    'user.avatar-changed.v1': ({ data: { userId, version } }, directory) => {
      const bot = directory.user(userId);
      // A new bot is announced with its picture.
      return bot === undefined || version === 1 ? [] : updated(directory, userId, { avatar_url: avatarAddress(bot) });
    },
    'user.email-visibility-changed.v1': noClientEvents,
    'user.waiting-changed.v1': noClientEvents,
    'bot.configured.v1': ({ data }, directory) => configured(directory, data),
    'channel.changed.v1': ({ data }, directory) => [
      ...shownByPrivacy(directory, data),
      ...(data.name === undefined ? [] : channelRenamed(directory, data.channelId)),
    ],
    'bot.owner-changed.v1': ({ data }, directory) => ownerChanged(directory, data),
  };
  override readonly types: ReadonlySet<string> = new Set(['realm_bot']);

  constructor(
    private readonly directory: Directory,
    private readonly apiKeys: ApiKeys,
  ) {
    super();
  }

  override present({ entry: { body } }: Presentable<Body>, { user: viewer }: Recipient): readonly Told[] {
    if (body.op === 'delete') return [{ type: 'realm_bot', op: 'delete', bot: { user_id: body.userId } }];
    const bot = this.directory.user(body.op === 'update' ? body.bot.user_id : body.userId);
    // Shown as it is by now, its key as well: who does not see it any more is told that next.
    if (bot === undefined || !maySeeBot(this.directory, viewer, bot)) return [];
    if (body.op === 'update') return [{ type: 'realm_bot', op: 'update', bot: body.bot }];
    if (body.op === 'add')
      return [{ type: 'realm_bot', op: 'add', bot: wireBot(this.directory, this.apiKeys, viewer, bot) }];
    // A new owner is told the key with the change that follows it; the former one is not told any.
    if (body.op === "owner's key" && bot.botOwnerId !== viewer.userId) return [];
    return [
      { type: 'realm_bot', op: 'update', bot: { user_id: bot.userId, api_key: shownKey(this.apiKeys, viewer, bot) } },
    ];
  }
}

/** One entry for the bot's owner and those administrators who see it; none when the user is not such a bot. */
function forThoseWhoSee(directory: Directory, botId: number, body: Body): readonly FeedEntry<Body>[] {
  const bot = directory.user(botId);
  if (bot === undefined || bot.botType === null || bot.systemBot !== undefined) return [];
  const ids = new Set(isPrivateBot(directory, botId) ? [] : administratorIds(directory));
  if (bot.botOwnerId !== null) ids.add(bot.botOwnerId);
  return entry([...ids], body);
}

function updated(
  directory: Directory,
  botId: number,
  changes: Omit<ChangedBot, 'user_id'>,
): readonly FeedEntry<Body>[] {
  return forThoseWhoSee(directory, botId, { op: 'update', bot: { user_id: botId, ...changes } });
}

function entry(ids: readonly number[], body: Body): readonly FeedEntry<Body>[] {
  return ids.length === 0 ? [] : [{ type: 'realm_bot', audience: { to: 'users', ids }, body }];
}

function administratorIds(directory: Directory): number[] {
  const ids: number[] = [];
  for (const { userId, role, isActive } of directory.users())
    if (isActive && role <= ROLE.administrator) ids.push(userId);
  return ids;
}

/** Who becomes or ceases to be an administrator gains or loses sight of other users' bots. */
function shownByRole(
  directory: Directory,
  userId: number,
  { from, to }: { readonly from: number; readonly to: number },
): readonly FeedEntry<Body>[] {
  if (from <= ROLE.administrator === to <= ROLE.administrator) return [];
  const op = to <= ROLE.administrator ? 'add' : 'delete';
  const entries: FeedEntry<Body>[] = [];
  for (const bot of directory.bots()) {
    if (bot.systemBot !== undefined || bot.botOwnerId === userId) continue;
    if (!isPrivateBot(directory, bot.userId)) entries.push(...entry([userId], { op, userId: bot.userId }));
  }
  return entries;
}

/** Administrators lose sight of bots that name a channel which becomes private, and see those which name no private one any more. */
function shownByPrivacy(
  directory: Directory,
  { channelId, privacy }: ChannelChanged['data'],
): readonly FeedEntry<Body>[] {
  if (privacy === undefined || privacy.from.inviteOnly === privacy.to.inviteOnly) return [];
  const op = privacy.to.inviteOnly ? 'delete' : 'add';
  const entries: FeedEntry<Body>[] = [];
  const administrators = administratorIds(directory);
  for (const { userId, botOwnerId } of directory.bots()) {
    const { sendsTo, listensTo } = directory.of(botsPart).get(userId);
    if (sendsTo !== channelId && listensTo !== channelId) continue;
    const other = sendsTo === channelId ? listensTo : sendsTo;
    if (other !== channelId && namesPrivate(directory, { sendsTo: other, listensTo: null })) continue;
    const told = administrators.filter((id) => id !== botOwnerId);
    entries.push(...entry(told, { op, userId }));
  }
  return entries;
}

/** Bots show their default channels by name. */
function channelRenamed(directory: Directory, channelId: number): readonly FeedEntry<Body>[] {
  const entries: FeedEntry<Body>[] = [];
  for (const { userId } of directory.bots()) {
    const { sendsTo, listensTo } = directory.of(botsPart).get(userId);
    const changes = {
      ...(sendsTo === channelId ? { default_sending_stream: nameOf(directory, channelId) } : undefined),
      ...(listensTo === channelId ? { default_events_register_stream: nameOf(directory, channelId) } : undefined),
    };
    if (Object.keys(changes).length > 0) entries.push(...updated(directory, userId, changes));
  }
  return entries;
}

function configured(directory: Directory, data: BotConfigured['data']): readonly FeedEntry<Body>[] {
  const { userId, isPrivate, sendsTo, listensTo, listensToAll } = data;
  const bot = directory.user(userId);
  // The settings of a new bot come with it.
  if (bot === undefined) return [];
  const changes = {
    ...(sendsTo === undefined ? undefined : { default_sending_stream: nameOf(directory, sendsTo) }),
    ...(listensTo === undefined ? undefined : { default_events_register_stream: nameOf(directory, listensTo) }),
    ...(listensToAll === undefined ? undefined : { default_all_public_streams: listensToAll }),
  };
  const changedFor = (isOwner: boolean): Body => ({
    op: 'update',
    bot: {
      user_id: userId,
      ...changes,
      ...(data.service === undefined ? undefined : { services: services(directory, bot, isOwner) }),
    },
  });
  const own = bot.botOwnerId === null ? [] : [bot.botOwnerId];
  const others = administratorIds(directory).filter((id) => id !== bot.botOwnerId);
  if (isPrivate.from !== isPrivate.to) {
    const op = isPrivate.to ? 'delete' : 'add';
    return [...entry(others, { op, userId }), ...entry(own, changedFor(true))];
  }
  // `config_data` is in no list of bots.
  if (Object.keys(changes).length === 0 && data.service === undefined) return [];
  if (bot.apiKey?.isOwnersAlone !== true) return forThoseWhoSee(directory, userId, changedFor(true));
  return [...entry(own, changedFor(true)), ...entry(isPrivate.to ? [] : others, changedFor(false))];
}

/**
 * The former owner loses sight of the bot, and the new one gains it, unless they are administrators. Its key has changed: the new
 * owner is told it, and administrators lose it.
 */
function ownerChanged(
  directory: Directory,
  { userId, from, to }: Extract<BotEvent, { type: 'bot.owner-changed.v1' }>['data'],
): readonly FeedEntry<Body>[] {
  const others = new Set(isPrivateBot(directory, userId) ? [] : administratorIds(directory));
  return [
    ...entry(from === null || others.has(from) ? [] : [from], { op: 'delete', userId }),
    ...entry(others.has(to) ? [] : [to], { op: 'add', userId }),
    ...entry([...others], { op: 'update', bot: { user_id: userId, owner_id: to } }),
    ...entry([...others], { op: 'key', userId }),
  ];
}
