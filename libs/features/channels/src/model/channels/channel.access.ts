import { badRequest } from '#kernel';
import type { DirectoryParts } from '#directory';
import type { GroupBook } from '#groups/model';
import { ROLE, isSpectator, type User } from '#users/model';
import { groupsPart } from '#groups/model';
import { usersPart } from '#users/model';
import type { Channel } from './channel.js';
import { subscriptionsPart } from '../subscriptions/subscriptions.part.js';
import { channelsPart } from './channels.part.js';

/**
 * Access to channels (rules.md §4): deny by default, one condition per line. Unknown and invisible channels look alike
 * from outside.
 */

/** Whether the viewer may know of the channel: its name, settings and subscribers. */
export function mayKnowChannel(directory: DirectoryParts, viewer: User, channel: Channel): boolean {
  if (directory.of(subscriptionsPart).isActive(viewer.userId, channel.channelId)) return true;
  return mayKnowUnsubscribed(directory.of(groupsPart), viewer, channel);
}

/** Looks up who holds a permission, now or at an earlier position. */
export type Holders = Pick<GroupBook, 'holds'>;

/** Whether the viewer may know of the channel without being subscribed. */
export function mayKnowUnsubscribed(holders: Holders, viewer: User, channel: Channel): boolean {
  if (isSpectator(viewer)) return isOpenToWeb(channel);
  if (channel.isWebPublic) return true;
  if (viewer.role >= ROLE.guest) return false;
  if (!channel.inviteOnly) return true;
  if (viewer.role <= ROLE.administrator) return true;
  if (holders.holds(viewer, channel.permissions.can_administer_channel_group)) return true;
  return mayJoinPrivate(holders, viewer, channel);
}

/** Whether the viewer may read messages of the channel; history is checked per message. */
export function mayReadChannel(directory: DirectoryParts, viewer: User, channel: Channel): boolean {
  if (directory.of(subscriptionsPart).isActive(viewer.userId, channel.channelId)) return true;
  return mayReadUnsubscribed(directory.of(groupsPart), viewer, channel);
}

/** Whether the viewer may read messages of the channel without being subscribed. */
export function mayReadUnsubscribed(holders: Holders, viewer: User, channel: Channel): boolean {
  if (isSpectator(viewer)) return isOpenToWeb(channel);
  if (channel.isWebPublic) return true;
  if (viewer.role >= ROLE.guest) return false;
  if (!channel.inviteOnly) return true;
  return mayJoinPrivate(holders, viewer, channel);
}

/** Whether readers of the channel may read messages from before they were subscribed. */
export function hasSharedHistory(channel: Channel): boolean {
  if (!channel.inviteOnly) return true;
  return channel.historyPublicToSubscribers;
}

/** Whether the viewer may read a message that arrives in the channel now. */
export function mayReadArriving(directory: DirectoryParts, viewer: User, channel: Channel): boolean {
  if (directory.of(subscriptionsPart).isActive(viewer.userId, channel.channelId)) return true;
  return hasSharedHistory(channel) && mayReadUnsubscribed(directory.of(groupsPart), viewer, channel);
}

/** Whether the viewer may read the message of this ID in the channel. */
export function mayReadMessageIn(
  directory: DirectoryParts,
  viewer: User,
  channel: Channel,
  messageId: number,
): boolean {
  if (!mayReadChannel(directory, viewer, channel)) return false;
  if (hasSharedHistory(channel)) return true;
  return directory.of(subscriptionsPart).wasActiveForMessage(viewer.userId, channel.channelId, messageId);
}

/** Whether the viewer may subscribe themselves. */
export function maySubscribeSelf(holders: Holders, viewer: User, channel: Channel): boolean {
  if (isSpectator(viewer)) return false;
  if (channel.isWebPublic) return true;
  if (viewer.role >= ROLE.guest) return false;
  if (!channel.inviteOnly) return true;
  return mayJoinPrivate(holders, viewer, channel);
}

/** Whether the viewer may send messages to the channel. The server's own bots may send everywhere, also that it was archived. */
export function maySendTo(directory: DirectoryParts, viewer: User, channel: Channel): boolean {
  if (viewer.systemBot !== undefined) return true;
  if (channel.isArchived) return false;
  if (mayPost(directory, viewer, channel)) return true;
  const owner = viewer.botOwnerId === null ? undefined : directory.of(usersPart).get(viewer.botOwnerId);
  return owner !== undefined && mayPost(directory, owner, channel);
}

/**
 * Users who may subscribe themselves may post without a subscription, except where they would not see earlier messages.
 */
function mayPost(directory: DirectoryParts, viewer: User, channel: Channel): boolean {
  if (!directory.of(groupsPart).holds(viewer, channel.permissions.can_send_message_group)) return false;
  return mayReadArriving(directory, viewer, channel);
}

/** Channel administrators: organization administrators, and holders of the channel's setting other than guests. */
export function mayAdministerChannel(directory: DirectoryParts, viewer: User, channel: Channel): boolean {
  if (viewer.role >= ROLE.guest) return false;
  if (viewer.role <= ROLE.administrator) return mayKnowChannel(directory, viewer, channel);
  return directory.of(groupsPart).holds(viewer, channel.permissions.can_administer_channel_group);
}

/**
 * The channel, for its name and settings.
 * @throws Refusal BAD_REQUEST, alike for unknown and invisible channels
 */
export function accessChannelMetadata(directory: DirectoryParts, viewer: User, channelId: number): Channel {
  const channel = directory.of(channelsPart).get(channelId);
  if (channel === undefined || !mayKnowChannel(directory, viewer, channel)) throw badRequest('Invalid channel ID');
  return channel;
}

/**
 * The channel, for its messages.
 * @throws Refusal BAD_REQUEST, alike for unknown and unreadable channels
 */
export function accessChannelContent(directory: DirectoryParts, viewer: User, channelId: number): Channel {
  const channel = directory.of(channelsPart).get(channelId);
  if (channel === undefined || !mayReadChannel(directory, viewer, channel)) throw badRequest('Invalid channel ID');
  return channel;
}

/** Whether those without an account read the channel: not what was put away. */
function isOpenToWeb({ isWebPublic, isArchived }: Channel): boolean {
  return isWebPublic && !isArchived;
}

function mayJoinPrivate(holders: Holders, viewer: User, channel: Channel): boolean {
  if (holders.holds(viewer, channel.permissions.can_add_subscribers_group)) return true;
  return holders.holds(viewer, channel.permissions.can_subscribe_group);
}
