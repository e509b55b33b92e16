import type { DirectoryParts } from '#directory';
import { realmPart } from '#realm/model';
import type { Channel } from './channel.js';
import { channelsPart } from './channels.part.js';

/** The channel in which new channels are announced: the one that is set, or, until one is, the oldest default channel. */
export function announcementsChannel(directory: DirectoryParts): Channel | undefined {
  const channelId = directory.of(realmPart).settings.new_stream_announcements_stream_id;
  if (channelId !== 0) return openChannel(directory, channelId);
  for (const channel of directory.of(channelsPart).all()) if (channel.isDefault && !channel.isArchived) return channel;
  return undefined;
}

/** The channel in which new users are announced. */
export function signupsChannel(directory: DirectoryParts): Channel | undefined {
  return openChannel(directory, directory.of(realmPart).settings.signup_announcements_stream_id);
}

function openChannel(directory: DirectoryParts, channelId: number): Channel | undefined {
  const channel = directory.of(channelsPart).get(channelId);
  return channel?.isArchived === false ? channel : undefined;
}
