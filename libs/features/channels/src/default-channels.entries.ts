import type { Audience, FeedEntry } from '#feed';
import type { Directory } from '#people';
import { ROLE } from '#users/model';
import type { DefaultsEntry } from './channel-entries.js';

/**
 * A channel became a default channel, or is none any more: the new list, which guests never see, and the channel of
 * announcements, which is the oldest of them until one is set.
 */
export function defaultChannelsChanged(directory: Directory, channelId: number): FeedEntry[] {
  const ids = defaultChannelIds(directory);
  const list: DefaultsEntry = {
    type: 'default_streams',
    audience: membersOf(directory),
    body: { default_streams: ids },
  };
  if (directory.settings.new_stream_announcements_stream_id !== 0) return [list];
  const [oldest = NO_CHANNEL] = ids;
  const others = ids.filter((id) => id !== channelId);
  const [oldestBefore = NO_CHANNEL] = ids.includes(channelId) ? others : [channelId, ...ids].sort((a, b) => a - b);
  if (oldest === oldestBefore) return [list];
  const body = { op: 'update', property: 'new_stream_announcements_stream_id', value: oldest };
  return [list, { type: 'realm', audience: { to: 'everyone' }, body }];
}

/** Value of a setting that names no channel. */
const NO_CHANNEL = -1;

/** All users but guests. */
export function membersOf(directory: Directory): Audience {
  const guests = [...directory.users()].filter(({ role }) => role >= ROLE.guest);
  return { to: 'others', except: guests.map(({ userId }) => userId) };
}

export function defaultChannelIds(directory: Directory): number[] {
  const defaults = [...directory.channels()].filter(({ isDefault, isArchived }) => isDefault && !isArchived);
  return defaults.map(({ channelId }) => channelId);
}
