import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, type Recipient, type WholeState } from '#feed';
import { Directory } from '#people';
import type { ActivityChanged, UserChanged, WaitingChanged } from '#users/model';
import type { MessageDeleted, MessagesDeleted, MessagesExpired, MessagesMoved } from '#messages';
import type { ChannelEvent } from './model/channels/channel.events.js';
import { mayKnowChannel, mayKnowUnsubscribed } from './model/channels/channel.access.js';
import type { SubscriptionEvent } from './model/subscriptions/subscription.events.js';
import type { Channel } from './model/channels/channel.js';
import {
  type AppearedBody,
  type ArchivedBody,
  type ChannelEntry,
  marked,
  type PeersBody,
  type StreamBody,
  type StreamEntry,
  type SubscribedBody,
  type SubscriptionEntry,
  type WireChannelEvent,
} from './channel-entries.js';
import { changeEntries, settingsNaming } from './change/change.entries.js';
import { defaultChannelsChanged, membersOf } from './default-channels.entries.js';
import { RecentlyActive } from './subscribers/recently-active.js';
import { inheritedNotifications } from './subscription-settings/inherited-notifications.js';
import { subscribedEntries, unsubscribedEntries } from './subscription.entries.js';
import { subscriptionUpdates } from './subscription-settings/subscription-updates.js';
import { peersChanged, roleChanged } from './visibility/account-visibility.entries.js';
import { fullMembersChanged, membershipChanged, type MembershipEvent } from './visibility/group-visibility.entries.js';
import { withoutUnknown } from './visibility/unknown-channels.js';
import { type WireChannel, wireChannel, type WireSubscription, wireSubscription } from './wire-channel.js';

/** Default channels up to which each change is told, in about 2 KB. */
const TOLD_EACH_MAX = 256;

type AboutMessages = MessageDeleted | MessagesDeleted | MessagesExpired | MessagesMoved;

/** Client events about channels and subscriptions (events.md §5; endpoints.md §8, "Events of channel operations"). */
@Injectable()
export class ChannelClientEvents extends ClientEvents<WireChannelEvent> {
  override readonly on: Derivations<
    ChannelEvent | SubscriptionEvent | ActivityChanged | UserChanged | WaitingChanged | MembershipEvent | AboutMessages
  > = {
    'channel.created.v1': ({ data }, directory) => inChannel(directory, data, (channel) => created(directory, channel)),
    'channel.changed.v1': ({ data }, directory) =>
      inChannel(directory, data, (channel) => changeEntries(directory, channel, data)),
    'channel.subscribed.v1': ({ data }, directory) =>
      inChannel(directory, data, (channel) => {
        const userIds = data.subscribers.map(({ userId }) => userId);
        return subscribedEntries(directory, [channel], userIds);
      }),
    'channels.subscribed.v1': ({ data: { channels, userIds } }, directory) =>
      subscribedEntries(directory, knownAmong(directory, channels.map(idOf)), userIds),
    'channels.unsubscribed.v1': ({ data: { channelIds, userIds } }, directory) =>
      unsubscribedEntries(directory, knownAmong(directory, channelIds), userIds),
    'channel.unsubscribed.v1': ({ data }, directory) =>
      inChannel(directory, data, (channel) => unsubscribedEntries(directory, [channel], data.userIds)),
    'subscription.settings-changed.v1': ({ data }, directory) => subscriptionUpdates(directory, data),
    'user.deactivated.v1': ({ data: { userId } }, directory) => [
      ...peersChanged(directory, userId, 'peer_remove'),
      ...settingsNaming(directory, userId),
    ],
    'user.reactivated.v1': ({ data: { userId } }, directory) => [
      ...peersChanged(directory, userId, 'peer_add'),
      ...settingsNaming(directory, userId),
    ],
    'user.changed.v1': ({ data }, directory) => roleChanged(directory, data),
    'user.waiting-changed.v1': ({ data }, directory) => fullMembersChanged(directory, data),
    'group.members-added.v1': (event, directory) => membershipChanged(directory, event),
    'group.members-removed.v1': (event, directory) => membershipChanged(directory, event),
    'group.subgroups-added.v1': (event, directory) => membershipChanged(directory, event),
    'group.subgroups-removed.v1': (event, directory) => membershipChanged(directory, event),
    'message.deleted.v1': (event, directory) => oldestChanged(directory, event),
    'messages.deleted.v1': (event, directory) => oldestChanged(directory, event),
    'messages.expired.v1': (event, directory) => oldestChanged(directory, event),
    'messages.moved.v1': (event, directory) => oldestChanged(directory, event),
  };
  override readonly types: ReadonlySet<string> = new Set(['stream', 'subscription', 'default_streams']);

  constructor(
    private readonly directory: Directory,
    private readonly recentlyActive: RecentlyActive,
  ) {
    super();
  }

  override reduce(events: readonly WireChannelEvent[]): readonly (WireChannelEvent | undefined)[] {
    return withoutUnknown(events);
  }

  override wholeState({ type, body }: ChannelEntry): WholeState | undefined {
    if (type !== 'default_streams') return undefined;
    // Each entry holds the list of then; of large ones, an answer tells the last.
    return body.default_streams.length > TOLD_EACH_MAX ? { name: type, told: 'last' } : undefined;
  }

  override present({ position, entry }: PresentableChannel, recipient: Recipient): readonly WireChannelEvent[] {
    switch (entry.type) {
      case 'default_streams':
        return [{ ...entry.body, type: entry.type }];
      case 'stream':
        return this.#stream(position, entry.body, recipient);
      case 'subscription':
        return this.#subscription(position, entry, recipient);
    }
  }

  #stream(position: number, { ofArchived, ...body }: StreamBody, recipient: Recipient): readonly WireChannelEvent[] {
    // Clients without the capability do not know channels that are archived. One that is late may still know a channel that vanishes.
    if (ofArchived === true && body.op !== 'delete' && !knowsArchived(recipient)) return [];
    if (body.op === 'outdated') throw new Error('More channels appeared or vanished than one client event tells.');
    if (body.op === 'create') return this.#appeared(position, body, recipient);
    return 'channelId' in body ? this.#archived(position, body, recipient) : [{ ...body, type: 'stream' }];
  }

  #subscription(
    position: number,
    { audience, body: { ofArchived, ...body } }: SubscriptionEntry,
    recipient: Recipient,
  ): readonly WireChannelEvent[] {
    if (ofArchived === true && !knowsArchived(recipient)) return [];
    if (body.op === 'add') return this.#subscribed(position, body, recipient);
    if (body.op === 'peer_add' || audience.to === 'knowers-of-any')
      return 'user_ids' in body ? this.#peers(body, recipient) : [];
    if (body.op === 'peer_remove' && audience.to === 'users') {
      const user_ids = body.user_ids.filter((userId) => userId !== recipient.user.userId);
      return this.#peers({ ...body, user_ids }, recipient);
    }
    return [{ ...body, type: 'subscription' }];
  }

  #appeared(position: number, body: AppearedBody, { user, ...recipient }: Recipient): readonly WireChannelEvent[] {
    const { archivedIds = [], uncountedIds = [] } = body;
    const streams: WireChannel[] = [];
    for (const id of channelIdsOf(body)) {
      const channel = this.directory.channel(id);
      if (channel === undefined || !mayKnowChannel(this.directory, user, channel)) continue;
      if ((channel.isArchived || archivedIds.includes(channel.channelId)) && !knowsArchived(recipient)) continue;
      const isUncounted = uncountedIds.includes(channel.channelId);
      streams.push({
        ...wireChannel(this.directory, channel, position),
        ...(isUncounted ? { subscriber_count: 0 } : {}),
      });
    }
    return streams.length === 0 ? [] : [{ type: 'stream', op: 'create', streams }];
  }

  /** To clients without the capability, an archived channel is none. */
  #archived(
    position: number,
    { channelId, name, isArchived }: ArchivedBody,
    recipient: Recipient,
  ): readonly WireChannelEvent[] {
    const channel = this.directory.channel(channelId);
    if (channel === undefined) return [];
    if (knowsArchived(recipient)) {
      const update = { stream_id: channelId, name, property: 'is_archived', value: isArchived };
      return [{ type: 'stream', op: 'update', ...update }];
    }
    if (isArchived)
      return [{ type: 'stream', op: 'delete', stream_ids: [channelId], streams: [{ stream_id: channelId }] }];
    // It was archived again meanwhile.
    if (channel.isArchived) return [];
    const user_ids = this.directory.subscriberIdsAt(channelId, position);
    const isInside = user_ids.includes(recipient.user.userId);
    const count = isInside ? user_ids.length : 0;
    const stream = { ...wireChannel(this.directory, channel, position), subscriber_count: count };
    const create: WireChannelEvent = { type: 'stream', op: 'create', streams: [stream] };
    if (isInside) return [create, ...this.#subscribed(position, { channelId }, recipient)];
    if (user_ids.length === 0) return [create];
    return [create, { type: 'subscription', op: 'peer_add', stream_ids: [channelId], user_ids }];
  }

  #subscribed(
    position: number,
    body: Pick<SubscribedBody, 'channelId' | 'channelIds'>,
    recipient: Recipient,
  ): readonly WireChannelEvent[] {
    const { user, settings } = recipient;
    const options = {
      includeSubscribers: settings.includeSubscribers,
      ...(settings.partialSubscribers === true ? { isListed: this.recentlyActive.checkFor(user) } : {}),
      position,
      ...(settings.capabilities.includes('notification_settings_null')
        ? {}
        : { inherited: inheritedNotifications(this.directory, user.userId) }),
    };
    const subscriptions: WireSubscription[] = [];
    for (const id of channelIdsOf(body)) {
      const channel = this.directory.channel(id);
      // A user who was removed since gets nothing of the channel, except the removal itself.
      if (channel === undefined || !mayKnowChannel(this.directory, user, channel)) continue;
      if (channel.isArchived && !knowsArchived(recipient)) continue;
      const subscription = this.directory.subscription(user.userId, channel.channelId);
      if (subscription !== undefined)
        subscriptions.push(wireSubscription(this.directory, channel, subscription, options));
    }
    return subscriptions.length === 0 ? [] : [{ type: 'subscription', op: 'add', subscriptions }];
  }

  /** Of the channels, those that the recipient knows. */
  #peers(body: Omit<PeersBody, 'ofArchived'>, { user, ...recipient }: Recipient): readonly WireChannelEvent[] {
    const stream_ids = body.stream_ids.filter((channelId) => {
      const channel = this.directory.channel(channelId);
      if (channel === undefined || !mayKnowChannel(this.directory, user, channel)) return false;
      return !channel.isArchived || knowsArchived(recipient);
    });
    return stream_ids.length === 0 ? [] : [{ ...body, type: 'subscription', stream_ids }];
  }
}

interface PresentableChannel {
  readonly position: number;
  readonly entry: ChannelEntry;
}

function channelIdsOf({ channelId, channelIds }: Pick<SubscribedBody, 'channelId' | 'channelIds'>): readonly number[] {
  return channelIds ?? (channelId === undefined ? [] : [channelId]);
}

function knowsArchived({ settings }: Pick<Recipient, 'settings'>): boolean {
  return settings.capabilities.includes('archived_channels');
}

function idOf({ channelId }: { readonly channelId: number }): number {
  return channelId;
}

function knownAmong(directory: Directory, channelIds: readonly number[]): Channel[] {
  return channelIds.flatMap((channelId) => directory.channel(channelId) ?? []);
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
 * A channel's oldest message changes when it is removed, or an older one arrives. The first one that is sent tells itself (events.md §5).
 */
function oldestChanged(directory: Directory, { type, data }: AboutMessages): StreamEntry[] {
  const left = type === 'messages.moved.v1' ? data.from : data.place;
  const entries: StreamEntry[] = [];
  if (data.firstLeft !== undefined && 'channelId' in left) entries.push(...oldestIn(directory, left.channelId));
  if (type !== 'messages.moved.v1' || data.from.channelId === data.to.channelId) return entries;
  if (directory.channel(data.to.channelId)?.firstMessageId !== data.firstId) return entries;
  return [...entries, ...oldestIn(directory, data.to.channelId)];
}

function oldestIn(directory: Directory, channelId: number): StreamEntry[] {
  const channel = directory.channel(channelId);
  if (channel === undefined) return [];
  const { name, firstMessageId: value } = channel;
  const body: StreamBody = { op: 'update', stream_id: channelId, name, property: 'first_message_id', value };
  return [{ type: 'stream', audience: { to: 'channel-knowers', channelId }, body: marked(body, channel.isArchived) }];
}

function created(directory: Directory, channel: Channel): FeedEntry[] {
  const { channelId, inviteOnly, isWebPublic, isDefault } = channel;
  const body: AppearedBody = { op: 'create', channelIds: [channelId] };
  // Guests, and members of a private channel, learn of it when they are subscribed, by a separate entry.
  const audience = isWebPublic
    ? ({ to: 'everyone' } as const)
    : inviteOnly
      ? ({ to: 'users', ids: outsidersWhoKnow(directory, channel) } as const)
      : membersOf(directory);
  const entries: StreamEntry[] = [{ type: 'stream', audience, body }];
  return isDefault ? [...entries, ...defaultChannelsChanged(directory, channelId)] : entries;
}

function outsidersWhoKnow(directory: Directory, channel: Channel): number[] {
  const knowing = [...directory.users()].filter((user) => mayKnowUnsubscribed(directory, user, channel));
  return knowing.map(({ userId }) => userId);
}
