import type { Directory } from '../directory/directory.js';
import type { Channel } from './channel.js';

/** Means no channel (register.md §3). */
const NO_CHANNEL = -1;

/**
 * ID of the channel in which new channels are announced, or -1: the one that is set or, until one is, the oldest channel. So it
 * changes with the setting alone, of which clients are told.
 */
export function announcementsChannelId(directory: Directory): number {
  const set = directory.settings.new_stream_announcements_stream_id;
  if (set !== 0) return set;
  const [oldest] = directory.channels();
  return oldest?.channelId ?? NO_CHANNEL;
}

/** The channel in which new channels are announced, unless it is archived. */
export function announcementsChannel(directory: Directory): Channel | undefined {
  return openChannel(directory, announcementsChannelId(directory));
}

/** The channel in which new users are announced. */
export function signupsChannel(directory: Directory): Channel | undefined {
  return openChannel(directory, directory.settings.signup_announcements_stream_id);
}

function openChannel(directory: Directory, channelId: number): Channel | undefined {
  const channel = directory.channel(channelId);
  return channel?.isArchived === false ? channel : undefined;
}
