import { badRequest, Refusal } from '#kernel';
import { assertUsableSetting } from '#groups/model';
import { holdsRealmPermission, type RealmPermissionName } from '#realm/model';
import { assertOwner, nameKey, ROLE, type User } from '#users/model';
import type { Directory } from '#people';
import { CHANNEL_PERMISSION_NAMES } from './model/channels/channel-permissions.js';
import { entailing } from './model/subscriptions/entailing.js';
import { maySubscribeOthers } from './model/channels/subscribing.access.js';
import { maySubscribeSelf } from './model/channels/channel.access.js';
import { newChannel } from './model/channels/new-channel.js';
import { subscribedTogether } from './model/subscriptions/together.js';
import type { Channel } from './model/channels/channel.js';
import type { ChannelCreated } from './model/channels/channel.events.js';
import type { ChannelSubscribed, ChannelsSubscribed } from './model/subscriptions/subscription.events.js';
import { UserColors } from './model/subscriptions/colors.js';
import { assertMaySetDeletion, assertNamable, maySetPolicy, unusualPermissions } from './channel-permissions.js';
import { acceptPrivacy, assertMayPublishToWeb, type AskedPrivacy, type Privacy } from './channel-privacy.js';
import type { ChannelSettings } from './channel-settings.js';
import { assertNotTooMany, findPrincipals } from './principals.js';
import { assertUsableFolder } from './model/folders/folder.access.js';

type Subscribing = ChannelCreated | ChannelSubscribed | ChannelsSubscribed;

export interface WantedChannel {
  readonly name: string;
  readonly description: string;
  readonly renderedDescription: string;
  /** `#` and six lowercase hexadecimal digits; the server chooses when undefined. */
  readonly color: string | undefined;
}

export interface Subscribe {
  readonly type: 'subscribe';
  readonly actor: User;
  readonly channels: readonly WantedChannel[];
  /** User IDs or e-mail addresses; only the actor when undefined. */
  readonly principals: readonly (number | string)[] | undefined;
  /** For created channels. */
  readonly settings: ChannelSettings;
  /** Whether one channel that the actor may not join refuses the whole request. */
  readonly authorizationErrorsFatal: boolean;
  readonly notices: NoticeWishes;
  readonly at: number;
}

export interface NoticeWishes {
  /** Announce created channels to all users. */
  readonly announce: boolean;
  /** Tell users that another user subscribed them. */
  readonly tellSubscribers: boolean;
}

export interface Subscribed {
  readonly events: readonly Subscribing[];
  readonly created: readonly string[];
  /** By user ID: names of channels. */
  readonly subscribed: ReadonlyMap<number, readonly string[]>;
  readonly alreadySubscribed: ReadonlyMap<number, readonly string[]>;
  /** Names of the channels that the actor may not join. */
  readonly unauthorized: readonly string[];
  /** Users are told that another user subscribed them. */
  readonly told: boolean;
}

/** With more users, individual notices would be a flood (`max_bulk_new_subscription_messages`). */
const TOLD_MAX = 100;

/**
 * Subscribes users to channels, creating those that do not exist (endpoints.md §8, POST /users/me/subscriptions).
 * @throws Refusal BAD_REQUEST
 */
export function decideSubscribe(directory: Directory, command: Subscribe): Subscribed {
  const { actor } = command;
  const users = findPrincipals(directory, actor, command.principals);
  assertNotTooMany(command.channels, users);
  const others = users.some(({ userId }) => userId !== actor.userId);
  const wanted = distinct(command.channels);
  const existing = wanted.map(({ name }) => directory.channelByName(name));
  const unauthorized = wanted
    .filter((_, index) => {
      const channel = existing[index];
      return channel !== undefined && !maySubscribe(directory, actor, channel, others);
    })
    .map(({ name }) => name);
  if (unauthorized.length > 0 && command.authorizationErrorsFatal) {
    throw badRequest(`Unable to access channel (${unauthorized.join(', ')}).`);
  }
  if (existing.includes(undefined)) assertMayCreate(directory, command);
  return subscribeAll(directory, command, users, wanted, new Set(unauthorized));
}

export interface CreateChannel extends Omit<
  Subscribe,
  'type' | 'channels' | 'principals' | 'authorizationErrorsFatal'
> {
  readonly type: 'create-channel';
  readonly channel: WantedChannel;
  /** May be empty. */
  readonly subscriberIds: readonly number[];
}

/**
 * Creates a channel that must not exist (endpoints.md §8, POST /channels/create).
 * @throws Refusal CHANNEL_ALREADY_EXISTS, BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export function decideCreateChannel(
  directory: Directory,
  { channel, subscriberIds, ...command }: CreateChannel,
): { readonly channelId: number; readonly events: readonly Subscribing[] } {
  assertMayCreate(directory, command);
  const users = subscriberIds.length === 0 ? [] : findPrincipals(directory, command.actor, subscriberIds);
  if (directory.channelByName(channel.name) !== undefined)
    throw new Refusal('CHANNEL_ALREADY_EXISTS', `Channel '${channel.name}' already exists`, {
      channel_name: channel.name,
    });
  const { events } = subscribeAll(directory, command, users, [channel], new Set());
  return { channelId: directory.nextChannelId, events };
}

function subscribeAll(
  directory: Directory,
  command: Pick<Subscribe, 'actor' | 'settings' | 'notices' | 'at'>,
  users: readonly User[],
  wanted: readonly WantedChannel[],
  unauthorized: ReadonlySet<string>,
): Subscribed {
  const each: (ChannelCreated | ChannelSubscribed)[] = [];
  const created: string[] = [];
  const joining = users.map(({ userId }) => joiningOf(directory, userId));
  let nextChannelId = directory.nextChannelId;
  for (const want of wanted) {
    if (unauthorized.has(want.name)) continue;
    const channel = directory.channelByName(want.name);
    const channelId = channel?.channelId ?? nextChannelId++;
    const name = channel?.name ?? want.name;
    if (channel === undefined) {
      created.push(name);
      each.push(channelCreated(command, want, channelId));
    }
    const subscribers: { userId: number; color: string }[] = [];
    const isSubscribed = subscribersAmong(directory, channelId, users.length);
    for (const user of joining) {
      const { userId } = user;
      if (isSubscribed(userId)) {
        user.stayed.push(name);
        continue;
      }
      subscribers.push({ userId, color: user.colors.pick(channelId, want.color) });
      user.joined.push(name);
    }
    if (subscribers.length > 0) {
      each.push({
        type: 'channel.subscribed.v1',
        data: { channelId, subscribers, by: command.actor.userId, at: command.at },
      });
    }
  }
  const subscribed = namesBy(joining, ({ joined }) => joined);
  const others = [...subscribed.keys()].filter((userId) => userId !== command.actor.userId).length;
  const told = command.notices.tellSubscribers && others <= TOLD_MAX;
  const tells = told && others > 0;
  const announces = command.notices.announce && !command.settings.inviteOnly && created.length > 0;
  const introduces = directory.settings.send_channel_events_messages && created.length > 0;
  const events: Subscribing[] = subscribedTogether(each);
  return {
    events: announces || tells || introduces ? entailing(events, { announces, tells, introduces }) : events,
    created,
    subscribed,
    alreadySubscribed: namesBy(joining, ({ stayed }) => stayed),
    unauthorized: [...unauthorized],
    told,
  };
}

function channelCreated(
  { actor, settings, at }: Pick<Subscribe, 'actor' | 'settings' | 'at'>,
  want: WantedChannel,
  channelId: number,
): ChannelCreated {
  return newChannel({
    channelId,
    name: want.name,
    description: want.description,
    renderedDescription: want.renderedDescription,
    ...acceptPrivacy(askedPrivacy(settings), PUBLIC),
    messageRetentionDays: settings.messageRetentionDays,
    topicsPolicy: settings.topicsPolicy,
    folderId: settings.folderId,
    permissions: settings.permissions,
    isDefault: settings.isDefault,
    creatorId: actor.userId,
    at,
  });
}

function maySubscribe(directory: Directory, actor: User, channel: Channel, others: boolean): boolean {
  const isIn = actor.role < ROLE.guest && directory.isSubscribed(actor.userId, channel.channelId);
  if (!others) return isIn || maySubscribeSelf(directory, actor, channel);
  return maySubscribeOthers(directory, actor, channel);
}

function assertMayCreate(directory: Directory, { actor, settings }: Pick<Subscribe, 'actor' | 'settings'>): void {
  if (actor.role >= ROLE.guest) throw badRequest('Insufficient permission');
  if (!mayDecide(directory, { actor, settings })) throw badRequest('Insufficient permission');
  acceptPrivacy(askedPrivacy(settings), PUBLIC);
  if (settings.isWebPublic) assertMayPublishToWeb(directory, actor);
  if (settings.isDefault && actor.role > ROLE.administrator) throw badRequest('Insufficient permission');
  if (settings.isDefault && settings.inviteOnly) throw badRequest('A default channel cannot be private.');
  if (settings.messageRetentionDays !== null) assertOwner(actor);
  assertUsableFolder(directory, settings.folderId);
  assertMaySetDeletion(directory, actor, unusualPermissions(actor, settings.permissions));
  for (const name of CHANNEL_PERMISSION_NAMES) {
    const value = settings.permissions[name];
    if (value === undefined) continue;
    assertUsableSetting(directory, value);
    assertNamable(directory, name, value);
  }
}

/** Whether the actor holds each permission of the organization that a channel with these settings asks for. */
function mayDecide(directory: Directory, { actor, settings }: Pick<Subscribe, 'actor' | 'settings'>): boolean {
  const { inviteOnly, topicsPolicy } = settings;
  const may = (name: RealmPermissionName): boolean => holdsRealmPermission(directory, actor, name);
  if (!may(inviteOnly ? 'can_create_private_channel_group' : 'can_create_public_channel_group')) return false;
  return topicsPolicy === 'inherit' || maySetPolicy(directory, actor, 'can_set_topics_policy_group');
}

const PUBLIC: Privacy = { inviteOnly: false, isWebPublic: false, historyPublicToSubscribers: true };

/**
 * The history of a new public channel is shared, and protecting it is ignored (rules.md §5). For a web-public channel it
 * is judged: whoever asks for protection must not get a channel that the whole web reads.
 */
function askedPrivacy({ inviteOnly, isWebPublic, historyPublicToSubscribers }: ChannelSettings): AskedPrivacy {
  const isJudged = inviteOnly || isWebPublic;
  return {
    isPrivate: inviteOnly,
    isWebPublic,
    historyPublicToSubscribers: isJudged ? historyPublicToSubscribers : undefined,
  };
}

function distinct(channels: readonly WantedChannel[]): WantedChannel[] {
  return [...new Map(channels.map((channel) => [nameKey(channel.name), channel])).values()];
}

/** A user whom the request concerns; a record, since a request may name thousands for each of many channels. */
interface Joining {
  readonly userId: number;
  readonly colors: UserColors;
  /** Names of channels. */
  readonly joined: string[];
  readonly stayed: string[];
}

function joiningOf(directory: Directory, userId: number): Joining {
  return { userId, colors: new UserColors(directory.subscriptionsOf(userId)), joined: [], stayed: [] };
}

/** Whether users are subscribed: for many users of a channel with few, one list of these costs less than each look-up. */
function subscribersAmong(directory: Directory, channelId: number, asked: number): (userId: number) => boolean {
  if (directory.subscriberCount(channelId) > asked) return (userId) => directory.isSubscribed(userId, channelId);
  const ids = new Set(directory.subscriberIds(channelId));
  return (userId) => ids.has(userId);
}

function namesBy(
  joining: readonly Joining[],
  namesOf: (user: Joining) => readonly string[],
): ReadonlyMap<number, readonly string[]> {
  return new Map(joining.filter((user) => namesOf(user).length > 0).map((user) => [user.userId, namesOf(user)]));
}
