import type { Directory } from '#people';
import type { Channel } from './model/channels/channel.js';
import { mayKnowUnsubscribed } from './model/channels/channel.access.js';
import {
  type AppearedBody,
  type ChannelEntry,
  marked,
  type PeersBody,
  type SubscribedBody,
  type SubscriptionBody,
  type SubscriptionEntry,
} from './channel-entries.js';
import { vanished } from './visibility/visibility.entries.js';

/** Client events of users who joined the channels (endpoints.md §8), which is one event for each audience. */
export function subscribedEntries(
  directory: Directory,
  channels: readonly Channel[],
  userIds: readonly number[],
): ChannelEntry[] {
  const entries: ChannelEntry[] = [];
  for (const { outsiders, channels: seen } of byOutsiders(directory, channels, userIds)) {
    const archived = seen.filter(({ isArchived }) => isArchived);
    const body: AppearedBody = {
      op: 'create',
      channelIds: idsOf(seen),
      ...(archived.length === 0 ? {} : { archivedIds: idsOf(archived) }),
    };
    entries.push({ type: 'stream', audience: { to: 'users', ids: outsiders }, body });
  }
  for (const alike of byArchived(channels)) {
    const added: SubscribedBody = { op: 'add', channelIds: idsOf(alike.channels) };
    const body = marked(added, alike.isArchived);
    entries.push({ type: 'subscription', audience: { to: 'users', ids: userIds }, body });
  }
  return [...entries, ...peerEntries('peer_add', channels, userIds)];
}

/** Client events of users who left the channels. */
export function unsubscribedEntries(
  directory: Directory,
  channels: readonly Channel[],
  userIds: readonly number[],
): ChannelEntry[] {
  const entries: ChannelEntry[] = [];
  for (const alike of byArchived(channels)) {
    const subscriptions = alike.channels.map(({ name, channelId }) => ({ name, stream_id: channelId }));
    const removed: SubscriptionBody = { op: 'remove', subscriptions };
    const body = marked(removed, alike.isArchived);
    entries.push({ type: 'subscription', audience: { to: 'users', ids: userIds }, body });
  }
  entries.push(...peerEntries('peer_remove', channels, userIds), ...leftTogether(channels, userIds));
  for (const { outsiders, channels: lost } of byOutsiders(directory, channels, userIds))
    entries.push(...vanished(outsiders, lost));
  return entries;
}

/** One event for all the channels: each client is told of those that its user knows. */
export function peerEntries(
  op: 'peer_add' | 'peer_remove',
  channels: readonly Channel[],
  userIds: readonly number[],
): SubscriptionEntry[] {
  return byArchived(channels).map(({ isArchived, channels: alike }): SubscriptionEntry => {
    const channelIds = idsOf(alike);
    const [channelId] = channelIds;
    const audience =
      channelId !== undefined && channelIds.length === 1
        ? ({ to: 'channel-knowers', channelId, except: userIds } as const)
        : ({ to: 'knowers-of-any', channelIds, except: userIds } as const);
    const body: PeersBody = { op, stream_ids: channelIds, user_ids: userIds };
    return { type: 'subscription', audience, body: marked(body, isArchived) };
  });
}

/** Entries that tell users who left in one request of each other: the channels that they still know list the subscribers. */
function leftTogether(channels: readonly Channel[], userIds: readonly number[]): SubscriptionEntry[] {
  if (userIds.length === 1) return [];
  return byArchived(channels).map(({ isArchived, channels: alike }) => {
    const body: PeersBody = { op: 'peer_remove', stream_ids: idsOf(alike), user_ids: userIds };
    return { type: 'subscription', audience: { to: 'users', ids: userIds }, body: marked(body, isArchived) };
  });
}

interface Alike {
  readonly isArchived: boolean;
  readonly channels: readonly Channel[];
}

/** Clients without the capability do not know channels that are archived. */
function byArchived(channels: readonly Channel[]): Alike[] {
  return [false, true]
    .map((isArchived) => ({ isArchived, channels: channels.filter((channel) => channel.isArchived === isArchived) }))
    .filter((alike) => alike.channels.length > 0);
}

interface Seen {
  /** Users who know these channels only by a subscription; at least one. */
  readonly outsiders: readonly number[];
  readonly channels: Channel[];
}

function byOutsiders(directory: Directory, channels: readonly Channel[], userIds: readonly number[]): Seen[] {
  const groups = new Map<string, Seen>();
  for (const channel of channels) {
    const outsiders = userIds.filter((userId) => !knowsUnsubscribed(directory, userId, channel));
    const key = outsiders.join();
    const group = groups.get(key);
    if (group !== undefined) group.channels.push(channel);
    else if (outsiders.length > 0) groups.set(key, { outsiders, channels: [channel] });
  }
  return [...groups.values()];
}

/** Whether the user may know of the channel without being subscribed to it. */
function knowsUnsubscribed(directory: Directory, userId: number, channel: Channel): boolean {
  const user = directory.user(userId);
  return user !== undefined && mayKnowUnsubscribed(directory, user, channel);
}

function idsOf(channels: readonly Channel[]): number[] {
  return channels.map(({ channelId }) => channelId);
}
