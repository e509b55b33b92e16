import { unreachable } from '#kernel';
import type { Directory } from '#people';
import { mayKnowChannel, mayReadChannel } from '#channels/model';
import type { FeedEntry, Presentable, Recipient } from './feed-entry.js';

/**
 * Whether the entry concerns this queue: by type, audience, and what the client asked for. Membership counts as of the
 * event's position; access is checked again when the entry is presented.
 */
export function isAddressed(directory: Directory, { position, entry }: Presentable, recipient: Recipient): boolean {
  const { user, settings } = recipient;
  if (settings.eventTypes !== null && !settings.eventTypes.includes(entry.type)) return false;
  const { audience } = entry;
  switch (audience.to) {
    case 'everyone':
      return true;
    case 'users':
      return audience.ids.includes(user.userId);
    case 'others':
      return !audience.except.includes(user.userId);
    case 'subscribers':
      if (isUnknownArchived(directory, entry, recipient)) return false;
      if (directory.wasSubscribedAt(user.userId, audience.channelId, position)) return true;
      if (audience.and?.includes(user.userId) === true) return true;
      return entry.type === 'message' && listensIn(directory, recipient, audience.channelId);
    case 'channel-knowers': {
      if (audience.except?.includes(user.userId) === true) return false;
      if (isUnknownArchived(directory, entry, recipient)) return false;
      const channel = directory.channel(audience.channelId);
      return channel !== undefined && mayKnowChannel(directory, user, channel);
    }
    case 'knowers-of-any':
      if (audience.except?.includes(user.userId) === true) return false;
      return audience.channelIds.some((channelId) => {
        const channel = directory.channel(channelId);
        return channel !== undefined && mayKnowChannel(directory, user, channel);
      });
    default:
      return unreachable(audience);
  }
}

/**
 * Whether the channel is archived, so that clients without the capability do not know it. That it is archived, and what
 * became of it before, is for its own client events to say.
 */
function isUnknownArchived(directory: Directory, { type, audience }: FeedEntry, { settings }: Recipient): boolean {
  if (type === 'stream' || type === 'subscription' || !('channelId' in audience)) return false;
  if (directory.channel(audience.channelId)?.isArchived !== true) return false;
  return !settings.capabilities.includes('archived_channels');
}

/** Queues that hear messages of channels their user is not subscribed to (events.md §2). */
export function listensToAll({ settings }: Pick<Recipient, 'settings'>): boolean {
  return settings.allPublicChannels || settings.narrow.length > 0;
}

function listensIn(directory: Directory, recipient: Recipient, channelId: number): boolean {
  if (!listensToAll(recipient)) return false;
  const channel = directory.channel(channelId);
  if (channel === undefined || channel.inviteOnly) return false;
  return mayReadChannel(directory, recipient.user, channel);
}
