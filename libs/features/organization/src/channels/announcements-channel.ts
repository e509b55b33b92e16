import type { Directory } from '../directory/directory.js';
import type { Channel } from './channel.js';

/** The channel in which new channels are announced: the one that is set, or, until one is, the oldest default channel. */
export function announcementsChannel(directory: Directory): Channel | undefined {
  const channelId = directory.settings.new_stream_announcements_stream_id;
  if (channelId !== 0) return openChannel(directory, channelId);
  for (const channel of directory.channels()) if (channel.isDefault && !channel.isArchived) return channel;
  return undefined;
}

/** The channel in which new users are announced. */
export function signupsChannel(directory: Directory): Channel | undefined {
  return openChannel(directory, directory.settings.signup_announcements_stream_id);
}

function openChannel(directory: Directory, channelId: number): Channel | undefined {
  const channel = directory.channel(channelId);
  return channel?.isArchived === false ? channel : undefined;
}
