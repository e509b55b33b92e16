import type { Directory } from '#people';
import {
  type AppearedBody,
  marked,
  type PeersBody,
  type StreamEntry,
  type StreamBody,
  type SubscriptionEntry,
} from '../channel-entries.js';
import type { Channel } from '../model/channels/channel.js';
import { mayKnowUnsubscribed } from '../model/channels/channel.access.js';

/** Settings by which users without a subscription know a private channel. */
export const SHOWING = ['can_add_subscribers_group', 'can_administer_channel_group', 'can_subscribe_group'] as const;

/**
 * Subscribers of channels that appear are told for so many channels, and so many of them (half a megabyte); clients fetch those of
 * the others when they need them.
 */
const PEERS_TOLD_CHANNELS_MAX = 300;
const PEERS_TOLD_MAX = 100_000;

/** The channels become known to users who are not subscribed to them. */
export function appeared(
  directory: Directory,
  userIds: readonly number[],
  channels: readonly Channel[],
): (StreamEntry | SubscriptionEntry)[] {
  if (userIds.length === 0 || channels.length === 0) return [];
  const audience = { to: 'users', ids: userIds } as const;
  const withPeers = channelsWithPeers(directory, channels);
  const body: AppearedBody = {
    op: 'create',
    channelIds: idsOf(channels),
    archivedIds: idsOf(channels.filter(({ isArchived }) => isArchived)),
    uncountedIds: idsOf(withPeers),
  };
  return [
    { type: 'stream', audience, body },
    ...withPeers.map(({ channelId, isArchived }): SubscriptionEntry => {
      const user_ids = directory.subscriberIds(channelId);
      const peers: PeersBody = { op: 'peer_add', stream_ids: [channelId], user_ids };
      return { type: 'subscription', audience, body: marked(peers, isArchived) };
    }),
  ];
}

function channelsWithPeers(directory: Directory, channels: readonly Channel[]): Channel[] {
  const chosen: Channel[] = [];
  let told = 0;
  for (const channel of channels) {
    const count = directory.subscriberCount(channel.channelId);
    if (count === 0 || told + count > PEERS_TOLD_MAX) continue;
    told += count;
    chosen.push(channel);
    if (chosen.length === PEERS_TOLD_CHANNELS_MAX) break;
  }
  return chosen;
}

/** The channels become unknown to the users. */
export function vanished(userIds: readonly number[], channels: readonly Channel[]): StreamEntry[] {
  if (userIds.length === 0) return [];
  const entries: StreamEntry[] = [];
  for (const isArchived of [false, true]) {
    const ids = idsOf(channels.filter((channel) => channel.isArchived === isArchived));
    if (ids.length === 0) continue;
    const body: StreamBody = { op: 'delete', stream_ids: ids, streams: ids.map((stream_id) => ({ stream_id })) };
    entries.push({ type: 'stream', audience: { to: 'users', ids: userIds }, body: marked(body, isArchived) });
  }
  return entries;
}

/** Users without a subscription for whom the channel disappears, and those for whom it appears. */
export function knowersChanged(
  directory: Directory,
  before: Channel,
  after: Channel,
): { readonly gained: readonly number[]; readonly lost: readonly number[] } {
  const [gained, lost]: [number[], number[]] = [[], []];
  for (const user of directory.users()) {
    const { userId } = user;
    if (directory.isSubscribed(userId, after.channelId)) continue;
    const knew = mayKnowUnsubscribed(directory, user, before);
    const knows = mayKnowUnsubscribed(directory, user, after);
    if (knew !== knows) (knows ? gained : lost).push(userId);
  }
  return { gained, lost };
}

function idsOf(channels: readonly Channel[]): number[] {
  return channels.map(({ channelId }) => channelId);
}
