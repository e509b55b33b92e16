import { Injectable } from '@nestjs/common';
import { messageIdOf, type RecordedOf } from '#event-store';
import {
  ClientEvents,
  type ClientEvent,
  type Derivations,
  type FeedEntry,
  type Presentable,
  type Recipient,
} from '#feed';
import type { JsonObject } from '#kernel';
import {
  type ChannelEvent,
  Directory,
  mayKnowChannel,
  mayKnowUnsubscribed,
  ROLE,
  type ActivityChanged,
  type UserChanged,
  type SubscriptionEvent,
  type Channel,
  type User,
} from '#organization';
import type { MessageDeleted, MessagesDeleted, MessageSent, MessagesMoved } from '#messages';
import { inheritedNotifications } from './subscription-settings/inherited-notifications.js';
import { subscriptionUpdates } from './subscription-settings/subscription-updates.js';
import { wireChannel, wireSubscription } from './wire-channel.js';

type AboutMessages = MessageDeleted | MessagesDeleted | MessagesMoved;

/** Client events about channels and subscriptions (events.md §5; endpoints.md §8, "Events of channel operations"). */
@Injectable()
export class ChannelClientEvents extends ClientEvents {
  override readonly on: Derivations<
    ChannelEvent | SubscriptionEvent | ActivityChanged | UserChanged | AboutMessages | MessageSent
  > = {
    'channel.created.v1': ({ data }, directory) => inChannel(directory, data, (channel) => created(directory, channel)),
    'channel.subscribed.v1': ({ data }, directory) =>
      inChannel(directory, data, (channel) => {
        const userIds = data.subscribers.map(({ userId }) => userId);
        return subscribed(directory, channel, userIds);
      }),
    'channel.unsubscribed.v1': ({ data }, directory) =>
      inChannel(directory, data, (channel) => unsubscribed(directory, channel, data.userIds)),
    'subscription.settings-changed.v1': ({ data }) => subscriptionUpdates(data),
    'user.deactivated.v1': ({ data }, directory) => peersChanged(directory, data.userId, 'peer_remove'),
    'user.reactivated.v1': ({ data }, directory) => peersChanged(directory, data.userId, 'peer_add'),
    'user.changed.v1': ({ data }, directory) => roleChanged(directory, data),
    'message.sent.v1': (event, directory) => firstSent(directory, event),
    'message.deleted.v1': (event, directory) => oldestChanged(directory, event),
    'messages.deleted.v1': (event, directory) => oldestChanged(directory, event),
    'messages.moved.v1': (event, directory) => oldestChanged(directory, event),
  };
  override readonly types: ReadonlySet<string> = new Set(['stream', 'subscription', 'default_streams']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override present({ position, entry }: Presentable<JsonObject>, recipient: Recipient): readonly ClientEvent[] {
    const { user, settings } = recipient;
    const { op, channelId } = entry.body;
    const channel = this.directory.channel(Number(channelId));
    if (channel === undefined) return [{ ...entry.body, type: entry.type }];
    const isShown = (entry.type === 'stream' && op === 'create') || (entry.type === 'subscription' && op === 'add');
    // A user who was removed since gets nothing of the channel, except the removal itself.
    if (isShown && !mayKnowChannel(this.directory, user, channel)) return [];
    if (entry.type === 'stream' && op === 'create') {
      return [{ type: 'stream', op: 'create', streams: [{ ...wireChannel(this.directory, channel, position) }] }];
    }
    if (entry.type === 'subscription' && op === 'add') {
      const subscription = this.directory.subscription(user.userId, channel.channelId);
      if (subscription === undefined) return [];
      const options = {
        includeSubscribers: settings.includeSubscribers,
        position,
        ...(settings.capabilities.includes('notification_settings_null')
          ? {}
          : { inherited: inheritedNotifications(this.directory, user.userId) }),
      };
      const entryOfUser = wireSubscription(this.directory, channel, subscription, options);
      return [{ type: 'subscription', op: 'add', subscriptions: [{ ...entryOfUser }] }];
    }
    return [{ ...entry.body, type: entry.type }];
  }
}

function inChannel(
  directory: Directory,
  { channelId }: { readonly channelId: number },
  derive: (channel: Channel) => readonly FeedEntry[],
): readonly FeedEntry[] {
  const channel = directory.channel(channelId);
  return channel === undefined ? [] : derive(channel);
}

/**
 * The first message of a channel changes the channel for all users who know it; only its subscribers get a `message` event.
 */
function firstSent(directory: Directory, { data: { channelId }, revision }: RecordedOf<MessageSent>): FeedEntry[] {
  if (channelId === undefined) return [];
  return directory.channel(channelId)?.firstMessageId === messageIdOf(revision) ? oldestIn(directory, channelId) : [];
}

/** A channel's oldest message changes when it is removed, or an older one arrives. */
function oldestChanged(directory: Directory, { type, data }: AboutMessages): FeedEntry[] {
  const left = type === 'messages.moved.v1' ? data.from : data.place;
  const entries: FeedEntry[] = [];
  if (data.firstLeft !== undefined && 'channelId' in left) entries.push(...oldestIn(directory, left.channelId));
  if (type !== 'messages.moved.v1' || data.from.channelId === data.to.channelId) return entries;
  if (directory.channel(data.to.channelId)?.firstMessageId !== data.firstId) return entries;
  return [...entries, ...oldestIn(directory, data.to.channelId)];
}

function oldestIn(directory: Directory, channelId: number): FeedEntry[] {
  const channel = directory.channel(channelId);
  if (channel === undefined) return [];
  const { name, firstMessageId: value } = channel;
  const body = { op: 'update', stream_id: channelId, name, property: 'first_message_id', value };
  return [{ type: 'stream', audience: { to: 'channel-knowers', channelId }, body }];
}

function created(directory: Directory, channel: Channel): FeedEntry[] {
  const { channelId, inviteOnly, isDefault } = channel;
  const users = [...directory.users()];
  const idsOf = (some: readonly User[]): number[] => some.map(({ userId }) => userId);
  const members = { to: 'others', except: idsOf(users.filter(({ role }) => role >= ROLE.guest)) } as const;
  // Guests, and members of a private channel, learn of it when they are subscribed, by a separate entry.
  const knowers = {
    to: 'users',
    ids: idsOf(users.filter((user) => mayKnowUnsubscribed(directory, user, channel))),
  } as const;
  const entries: FeedEntry[] = [
    { type: 'stream', audience: inviteOnly ? knowers : members, body: { op: 'create', channelId } },
  ];
  if (isDefault) {
    const default_streams = defaultChannelIds(directory);
    entries.push({ type: 'default_streams', audience: members, body: { default_streams } });
  }
  return entries;
}

function subscribed(directory: Directory, channel: Channel, userIds: readonly number[]): FeedEntry[] {
  const { channelId } = channel;
  const newcomers = userIds.filter((userId) => !knewBefore(directory, userId, channel));
  return [
    ...(newcomers.length === 0
      ? []
      : [
          {
            type: 'stream',
            audience: { to: 'users', ids: newcomers },
            body: { op: 'create', channelId },
          } satisfies FeedEntry,
        ]),
    { type: 'subscription', audience: { to: 'users', ids: userIds }, body: { op: 'add', channelId } },
    {
      type: 'subscription',
      audience: { to: 'channel-knowers', channelId, except: userIds },
      body: { op: 'peer_add', stream_ids: [channelId], user_ids: userIds },
    },
  ];
}

function unsubscribed(directory: Directory, channel: Channel, userIds: readonly number[]): FeedEntry[] {
  const { channelId, name } = channel;
  const outsiders = userIds.filter((userId) => !knewBefore(directory, userId, channel));
  return [
    {
      type: 'subscription',
      audience: { to: 'users', ids: userIds },
      body: { op: 'remove', subscriptions: [{ name, stream_id: channelId }] },
    },
    {
      type: 'subscription',
      audience: { to: 'channel-knowers', channelId, except: userIds },
      body: { op: 'peer_remove', stream_ids: [channelId], user_ids: userIds },
    },
    ...(outsiders.length === 0
      ? []
      : [
          {
            type: 'stream',
            audience: { to: 'users', ids: outsiders },
            body: { op: 'delete', stream_ids: [channelId], streams: [{ stream_id: channelId }] },
          } satisfies FeedEntry,
        ]),
  ];
}

/** The channels that the user may know by the new role and not by the former one, and the other way round. */
function roleChanged(directory: Directory, { userId, role }: UserChanged['data']): FeedEntry[] {
  const user = directory.user(userId);
  if (user === undefined || role === undefined) return [];
  const audience = { to: 'users', ids: [userId] } as const;
  const entries: FeedEntry[] = [];
  for (const channel of directory.channels()) {
    const { channelId, isArchived } = channel;
    if (isArchived || directory.isSubscribed(userId, channelId)) continue;
    const knew = mayKnowUnsubscribed(directory, { ...user, role: role.from }, channel);
    const knows = mayKnowUnsubscribed(directory, { ...user, role: role.to }, channel);
    if (knew === knows) continue;
    const body = knows
      ? { op: 'create', channelId }
      : { op: 'delete', stream_ids: [channelId], streams: [{ stream_id: channelId }] };
    entries.push({ type: 'stream', audience, body });
  }
  if (role.from >= ROLE.guest === role.to >= ROLE.guest) return entries;
  const default_streams = role.to >= ROLE.guest ? [] : defaultChannelIds(directory);
  return [...entries, { type: 'default_streams', audience, body: { default_streams } }];
}

function defaultChannelIds(directory: Directory): number[] {
  const defaults = [...directory.channels()].filter(({ isDefault, isArchived }) => isDefault && !isArchived);
  return defaults.map(({ channelId }) => channelId);
}

/** A deactivated user is not listed as a subscriber; their own clients are gone. */
function peersChanged(directory: Directory, userId: number, op: 'peer_add' | 'peer_remove'): FeedEntry[] {
  const entries: FeedEntry[] = [];
  for (const { channelId, active, paused } of directory.subscriptionsOf(userId)) {
    if (!active && paused !== true) continue;
    entries.push({
      type: 'subscription',
      audience: { to: 'channel-knowers', channelId, except: [userId] },
      body: { op, stream_ids: [channelId], user_ids: [userId] },
    });
  }
  return entries;
}

/** Whether the user may know of the channel without being subscribed to it. */
function knewBefore(directory: Directory, userId: number, channel: Channel): boolean {
  const user = directory.user(userId);
  return user !== undefined && mayKnowUnsubscribed(directory, user, channel);
}
