import type { Directory } from '#people';
import { ROLE, type UserChanged } from '#users/model';
import type { Channel } from '../model/channels/channel.js';
import { mayKnowUnsubscribed } from '../model/channels/channel.access.js';
import type { ChannelEntry, SubscriptionEntry } from '../channel-entries.js';
import { defaultChannelIds } from '../default-channels.entries.js';
import { peerEntries } from '../subscription.entries.js';
import { appeared, vanished } from './visibility.entries.js';

/** Channels that the new role shows to the user, and those that it hides. */
export function roleChanged(directory: Directory, { userId, role }: UserChanged['data']): ChannelEntry[] {
  const user = directory.user(userId);
  if (user === undefined || role === undefined) return [];
  const audience = { to: 'users', ids: [userId] } as const;
  const [gained, lost]: [Channel[], Channel[]] = [[], []];
  for (const channel of directory.channels()) {
    if (directory.isSubscribed(userId, channel.channelId)) continue;
    const knew = mayKnowUnsubscribed(directory, { ...user, role: role.from }, channel);
    const knows = mayKnowUnsubscribed(directory, { ...user, role: role.to }, channel);
    if (knew !== knows) (knows ? gained : lost).push(channel);
  }
  const entries = [...vanished([userId], lost), ...appeared(directory, [userId], gained)];
  if (role.from >= ROLE.guest === role.to >= ROLE.guest) return entries;
  const default_streams = role.to >= ROLE.guest ? [] : defaultChannelIds(directory);
  return [...entries, { type: 'default_streams', audience, body: { default_streams } }];
}

/** A deactivated user is not listed as a subscriber; their own clients are gone. */
export function peersChanged(
  directory: Directory,
  userId: number,
  op: 'peer_add' | 'peer_remove',
): SubscriptionEntry[] {
  const channels: Channel[] = [];
  for (const { channelId, active, paused } of directory.subscriptionsOf(userId)) {
    const channel = directory.channel(channelId);
    if (channel !== undefined && (active || paused === true)) channels.push(channel);
  }
  return peerEntries(op, channels, [userId]);
}
