import type { Audience, FeedEntry } from '#feed';
import { type Directory, ROLE } from '#organization';

/** A channel became a default channel, or is none any more: the new list, which guests never see. */
export function defaultChannelsChanged(directory: Directory): FeedEntry {
  const ids = defaultChannelIds(directory);
  return { type: 'default_streams', audience: membersOf(directory), body: { default_streams: ids } };
}

/** All users but guests. */
export function membersOf(directory: Directory): Audience {
  const guests = [...directory.users()].filter(({ role }) => role >= ROLE.guest);
  return { to: 'others', except: guests.map(({ userId }) => userId) };
}

export function defaultChannelIds(directory: Directory): number[] {
  const defaults = [...directory.channels()].filter(({ isDefault, isArchived }) => isDefault && !isArchived);
  return defaults.map(({ channelId }) => channelId);
}
