import { badRequest } from '#kernel';
import type { Directory } from '../directory/directory.js';
import { ROLE } from '../groups/system-groups.js';
import { isSpectator } from '../users/spectator.js';
import type { User } from '../users/user.js';
import type { Channel } from './channel.js';

/**
 * Access to channels (rules.md §4): deny by default, one condition per line. Unknown and invisible channels look alike
 * from outside.
 */

/** Whether the viewer may know of the channel: its name, settings and subscribers. */
export function mayKnowChannel(directory: Directory, viewer: User, channel: Channel): boolean {
  if (directory.isSubscribed(viewer.userId, channel.channelId)) return true;
  return mayKnowUnsubscribed(directory, viewer, channel);
}

/** Looks up who holds a permission, now or at an earlier position. */
export type Holders = Pick<Directory, 'holds'>;

/** Whether the viewer may know of the channel without being subscribed. */
export function mayKnowUnsubscribed(directory: Holders, viewer: User, channel: Channel): boolean {
  if (isSpectator(viewer)) return isOpenToWeb(channel);
  if (channel.isWebPublic) return true;
  if (viewer.role >= ROLE.guest) return false;
  if (!channel.inviteOnly) return true;
  if (viewer.role <= ROLE.administrator) return true;
  if (directory.holds(viewer, channel.permissions.can_administer_channel_group)) return true;
  return mayJoinPrivate(directory, viewer, channel);
}

/** Whether the viewer may read messages of the channel; history is checked per message. */
export function mayReadChannel(directory: Directory, viewer: User, channel: Channel): boolean {
  if (directory.isSubscribed(viewer.userId, channel.channelId)) return true;
  return mayReadUnsubscribed(directory, viewer, channel);
}

/** Whether the viewer may read messages of the channel without being subscribed. */
export function mayReadUnsubscribed(directory: Directory, viewer: User, channel: Channel): boolean {
  if (isSpectator(viewer)) return isOpenToWeb(channel);
  if (channel.isWebPublic) return true;
  if (viewer.role >= ROLE.guest) return false;
  if (!channel.inviteOnly) return true;
  return mayJoinPrivate(directory, viewer, channel);
}

/** Whether readers of the channel may read messages from before they were subscribed. */
export function hasSharedHistory(channel: Channel): boolean {
  if (!channel.inviteOnly) return true;
  return channel.historyPublicToSubscribers;
}

/** Whether the viewer may read the message of this ID in the channel. */
export function mayReadMessageIn(directory: Directory, viewer: User, channel: Channel, messageId: number): boolean {
  if (!mayReadChannel(directory, viewer, channel)) return false;
  if (hasSharedHistory(channel)) return true;
  return directory.wasSubscribedForMessage(viewer.userId, channel.channelId, messageId);
}

/** Whether the viewer may subscribe themselves. */
export function maySubscribeSelf(directory: Directory, viewer: User, channel: Channel): boolean {
  if (isSpectator(viewer)) return false;
  if (channel.isWebPublic) return true;
  if (viewer.role >= ROLE.guest) return false;
  if (!channel.inviteOnly) return true;
  return mayJoinPrivate(directory, viewer, channel);
}

/** Whether the viewer may send messages to the channel. The server's own bots may send everywhere, also that it was archived. */
export function maySendTo(directory: Directory, viewer: User, channel: Channel): boolean {
  if (viewer.systemBot !== undefined) return true;
  if (channel.isArchived) return false;
  if (mayPost(directory, viewer, channel)) return true;
  const owner = viewer.botOwnerId === null ? undefined : directory.user(viewer.botOwnerId);
  return owner !== undefined && mayPost(directory, owner, channel);
}

/**
 * Users who may subscribe themselves may post without a subscription, except where they would not see earlier messages.
 */
function mayPost(directory: Directory, viewer: User, channel: Channel): boolean {
  if (!directory.holds(viewer, channel.permissions.can_send_message_group)) return false;
  if (directory.isSubscribed(viewer.userId, channel.channelId)) return true;
  return hasSharedHistory(channel) && mayReadChannel(directory, viewer, channel);
}

/** Channel administrators: organization administrators, and holders of the channel's setting other than guests. */
export function mayAdministerChannel(directory: Directory, viewer: User, channel: Channel): boolean {
  if (viewer.role >= ROLE.guest) return false;
  if (viewer.role <= ROLE.administrator) return mayKnowChannel(directory, viewer, channel);
  return directory.holds(viewer, channel.permissions.can_administer_channel_group);
}

/**
 * The channel, for its name and settings.
 * @throws Refusal BAD_REQUEST, alike for unknown and invisible channels
 */
export function accessChannelMetadata(directory: Directory, viewer: User, channelId: number): Channel {
  const channel = directory.channel(channelId);
  if (channel === undefined || !mayKnowChannel(directory, viewer, channel)) throw badRequest('Invalid channel ID');
  return channel;
}

/**
 * The channel, for its messages.
 * @throws Refusal BAD_REQUEST, alike for unknown and unreadable channels
 */
export function accessChannelContent(directory: Directory, viewer: User, channelId: number): Channel {
  const channel = directory.channel(channelId);
  if (channel === undefined || !mayReadChannel(directory, viewer, channel)) throw badRequest('Invalid channel ID');
  return channel;
}

/** Whether those without an account read the channel: not what was put away. */
function isOpenToWeb({ isWebPublic, isArchived }: Channel): boolean {
  return isWebPublic && !isArchived;
}

function mayJoinPrivate(directory: Holders, viewer: User, channel: Channel): boolean {
  if (directory.holds(viewer, channel.permissions.can_add_subscribers_group)) return true;
  return directory.holds(viewer, channel.permissions.can_subscribe_group);
}
