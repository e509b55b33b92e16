import { badRequest } from '#kernel';
import type { Directory } from './directory.js';
import type { Channel, User } from './directory.records.js';
import { ROLE } from './system-groups.js';

/**
 * The door to channels (DESIGN, decision 13; rules.md §4): deny by default, one condition a line. Unknown and invisible
 * channels look alike from outside.
 */

/** Whether the viewer may know of the channel: its name, settings and subscribers. */
export function mayKnowChannel(directory: Directory, viewer: User, channel: Channel): boolean {
  if (directory.isSubscribed(viewer.userId, channel.channelId)) return true;
  return mayKnowUnsubscribed(directory, viewer, channel);
}

/** The same for somebody who is not subscribed. */
export function mayKnowUnsubscribed(directory: Directory, viewer: User, channel: Channel): boolean {
  if (channel.isWebPublic) return true;
  if (viewer.role >= ROLE.guest) return false;
  if (!channel.inviteOnly) return true;
  if (viewer.role <= ROLE.administrator) return true;
  if (directory.holds(viewer, channel.permissions.can_administer_channel_group)) return true;
  return mayJoinPrivate(directory, viewer, channel);
}

/** Whether the viewer may read messages of the channel; how far back is decided message by message. */
export function mayReadChannel(directory: Directory, viewer: User, channel: Channel): boolean {
  if (directory.isSubscribed(viewer.userId, channel.channelId)) return true;
  return mayReadUnsubscribed(directory, viewer, channel);
}

/** The same for somebody who is not subscribed. */
export function mayReadUnsubscribed(directory: Directory, viewer: User, channel: Channel): boolean {
  if (channel.isWebPublic) return true;
  if (viewer.role >= ROLE.guest) return false;
  if (!channel.inviteOnly) return true;
  return mayJoinPrivate(directory, viewer, channel);
}

/** Whether those who may read the channel may read what was sent before they came. */
export function hasSharedHistory(channel: Channel): boolean {
  if (!channel.inviteOnly) return true;
  return channel.historyPublicToSubscribers;
}

/** Whether the viewer may read the message of this ID that stands in the channel. */
export function mayReadMessageIn(directory: Directory, viewer: User, channel: Channel, messageId: number): boolean {
  if (!mayReadChannel(directory, viewer, channel)) return false;
  if (hasSharedHistory(channel)) return true;
  return directory.wasSubscribedForMessage(viewer.userId, channel.channelId, messageId);
}

/** Whether the viewer may subscribe themselves. */
export function maySubscribeSelf(directory: Directory, viewer: User, channel: Channel): boolean {
  if (channel.isArchived) return false;
  if (channel.isWebPublic) return true;
  if (viewer.role >= ROLE.guest) return false;
  if (!channel.inviteOnly) return true;
  return mayJoinPrivate(directory, viewer, channel);
}

/** Whether the viewer may send messages to the channel. The server's own bots may speak everywhere. */
export function maySendTo(directory: Directory, viewer: User, channel: Channel): boolean {
  if (channel.isArchived) return false;
  if (viewer.systemBot !== undefined) return true;
  if (mayPost(directory, viewer, channel)) return true;
  const owner = viewer.botOwnerId === null ? undefined : directory.user(viewer.botOwnerId);
  return owner !== undefined && mayPost(directory, owner, channel);
}

/** Whoever could subscribe themselves may post from outside, except where they would not see what was said before. */
function mayPost(directory: Directory, viewer: User, channel: Channel): boolean {
  if (!directory.holds(viewer, channel.permissions.can_send_message_group)) return false;
  if (directory.isSubscribed(viewer.userId, channel.channelId)) return true;
  return hasSharedHistory(channel) && mayReadChannel(directory, viewer, channel);
}

/** Channel administrators: organization administrators, and those whom the channel's setting names. */
export function mayAdministerChannel(directory: Directory, viewer: User, channel: Channel): boolean {
  if (viewer.role <= ROLE.administrator) return mayKnowChannel(directory, viewer, channel);
  return directory.holds(viewer, channel.permissions.can_administer_channel_group);
}

/** The channel, for its name and settings. @throws Refusal BAD_REQUEST for unknown and invisible ones alike */
export function accessChannelMetadata(directory: Directory, viewer: User, channelId: number): Channel {
  const channel = directory.channel(channelId);
  if (channel === undefined || !mayKnowChannel(directory, viewer, channel)) throw badRequest('Invalid channel ID');
  return channel;
}

/** The channel, for its messages. @throws Refusal BAD_REQUEST for unknown and closed ones alike */
export function accessChannelContent(directory: Directory, viewer: User, channelId: number): Channel {
  const channel = directory.channel(channelId);
  if (channel === undefined || !mayReadChannel(directory, viewer, channel)) throw badRequest('Invalid channel ID');
  return channel;
}

function mayJoinPrivate(directory: Directory, viewer: User, channel: Channel): boolean {
  if (directory.holds(viewer, channel.permissions.can_add_subscribers_group)) return true;
  return directory.holds(viewer, channel.permissions.can_subscribe_group);
}
