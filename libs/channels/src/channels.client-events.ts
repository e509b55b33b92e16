import { Injectable } from '@nestjs/common';
import type { FactOf, Recorded } from '#event-store';
import { ClientEvents, type ClientEvent, type FeedEntry, type Presentable, type Recipient } from '#feed';
import {
  channelCreated,
  channelSubscribed,
  channelUnsubscribed,
  Directory,
  mayKnowUnsubscribed,
  ROLE,
  type Channel,
  type User,
} from '#organization';
import type { MessageDeleted, MessagesDeleted, MessagesMoved } from '#messages';
import { wireChannel, wireSubscription } from './wire-channel.js';

type Fact = FactOf<typeof channelCreated | typeof channelSubscribed | typeof channelUnsubscribed>;
type MessageFact = MessageDeleted | MessagesDeleted | MessagesMoved;

/** What clients are told of channels and subscriptions (events.md §5; endpoints.md §8, "Events of channel operations"). */
@Injectable()
export class ChannelClientEvents extends ClientEvents {
  override readonly facts: ReadonlySet<string> = new Set([
    channelCreated.name,
    channelSubscribed.name,
    channelUnsubscribed.name,
    'message.deleted.v1',
    'messages.deleted.v1',
    'messages.moved.v1',
  ]);
  override readonly types: ReadonlySet<string> = new Set(['stream', 'subscription', 'default_streams']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override derive(recorded: Recorded, directory: Directory): readonly FeedEntry[] {
    const either = { type: recorded.type, data: recorded.data } as Fact | MessageFact;
    if (isAboutMessages(either)) return oldestChanged(directory, either);
    const fact = either;
    const channel = directory.channel(fact.data.channelId);
    if (channel === undefined) return [];
    switch (fact.type) {
      case 'channel.created.v1':
        return created(directory, channel);
      case 'channel.subscribed.v1':
        return subscribed(
          directory,
          channel,
          fact.data.subscribers.map(({ userId }) => userId),
        );
      case 'channel.unsubscribed.v1':
        return unsubscribed(directory, channel, fact.data.userIds);
    }
  }

  override present({ position, entry }: Presentable, recipient: Recipient): readonly ClientEvent[] {
    const { user, settings } = recipient;
    const { op, channelId } = entry.body;
    const channel = this.directory.channel(Number(channelId));
    if (channel === undefined) return [{ ...entry.body, type: entry.type }];
    if (entry.type === 'stream' && op === 'create') {
      return [{ type: 'stream', op: 'create', streams: [{ ...wireChannel(this.directory, channel, position) }] }];
    }
    if (entry.type === 'subscription' && op === 'add') {
      const subscription = this.directory.subscription(user.userId, channel.channelId);
      if (subscription === undefined) return [];
      const options = { includeSubscribers: settings.includeSubscribers, position };
      const entryOfUser = wireSubscription(this.directory, channel, subscription, options);
      return [{ type: 'subscription', op: 'add', subscriptions: [{ ...entryOfUser }] }];
    }
    return [{ ...entry.body, type: entry.type }];
  }
}

function isAboutMessages(fact: Fact | MessageFact): fact is MessageFact {
  return fact.type.startsWith('message');
}

/** Channels have another oldest message when theirs goes, or an older one comes. Those that come last are in `message` events. */
function oldestChanged(directory: Directory, { type, data }: MessageFact): FeedEntry[] {
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
  // Guests, and members of a private channel, learn of it when they are subscribed, by an entry of their own.
  const knowers = {
    to: 'users',
    ids: idsOf(users.filter((user) => mayKnowUnsubscribed(directory, user, channel))),
  } as const;
  const entries: FeedEntry[] = [
    { type: 'stream', audience: inviteOnly ? knowers : members, body: { op: 'create', channelId } },
  ];
  if (isDefault) {
    const defaults = [...directory.channels()].filter((other) => other.isDefault && !other.isArchived);
    const default_streams = defaults.map((other) => other.channelId);
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

/** Whether the user may know of the channel without being subscribed to it. */
function knewBefore(directory: Directory, userId: number, channel: Channel): boolean {
  const user = directory.user(userId);
  return user !== undefined && mayKnowUnsubscribed(directory, user, channel);
}
