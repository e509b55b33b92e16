export { foldersPart } from './folders/folders.part.js';
export { defaultGroupsPart } from './default-groups/default-groups.part.js';
export { offeredDefaultGroups } from './default-groups/offered-groups.js';
export { announcementsChannel, signupsChannel } from './channels/announcements-channel.js';
export type { Channel } from './channels/channel.js';
export {
  CHANNEL_PERMISSION_NAMES,
  CHANNEL_PERMISSIONS,
  mayNameEveryoneInChannel,
} from './channels/channel-permissions.js';
export {
  accessChannelContent,
  accessChannelMetadata,
  hasSharedHistory,
  mayAdministerChannel,
  mayKnowChannel,
  mayReadArriving,
  mayReadChannel,
  mayReadMessageIn,
  mayReadUnsubscribed,
  maySendTo,
} from './channels/channel.access.js';
export { type ChannelChanged, channelEventTypes } from './channels/channel.events.js';
export { channelsPart } from './channels/channels.part.js';
export { newChannel } from './channels/new-channel.js';
export { maySubscribeOthers } from './channels/subscribing.access.js';
export { UserColors } from './subscriptions/colors.js';
export { entailing } from './subscriptions/entailing.js';
export type { Subscription, SubscriptionSpan } from './subscriptions/subscription.js';
export { SUBSCRIPTION_SETTINGS, type SubscriptionSetting } from './subscriptions/subscription-settings.js';
export { coversMessage } from './subscriptions/subscription-spans.js';
export {
  type ChannelSubscribed,
  type ChannelsUnsubscribed,
  type ChannelUnsubscribed,
  type SubscriptionEvent,
  subscriptionEventTypes,
} from './subscriptions/subscription.events.js';
export { subscriptionsPart } from './subscriptions/subscriptions.part.js';
export { subscribedTogether, unsubscribedTogether } from './subscriptions/together.js';
