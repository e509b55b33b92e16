import type { Audience, FeedEntry } from '#feed';
import { type Directory, ROLE } from '#organization';

/** The list of default channels, as guests never see it. */
export function defaultChannelsEntry(directory: Directory): FeedEntry {
  const body = { default_streams: defaultChannelIds(directory) };
  return { type: 'default_streams', audience: membersOf(directory), body };
}

/** Everybody but guests. */
export function membersOf(directory: Directory): Audience {
  const guests = [...directory.users()].filter(({ role }) => role >= ROLE.guest);
  return { to: 'others', except: guests.map(({ userId }) => userId) };
}

export function defaultChannelIds(directory: Directory): number[] {
  const defaults = [...directory.channels()].filter(({ isDefault, isArchived }) => isDefault && !isArchived);
  return defaults.map(({ channelId }) => channelId);
}
