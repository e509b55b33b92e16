import { integer, list } from '#wire';
import { ChannelSchema, NeverSubscribedSchema, SubscriptionSchema } from '../wire-channel.js';

/** Channels that the viewer may know (register.md §2). */
export const channelFieldSchemas = {
  realm_default_streams: list(integer),
  streams: list(ChannelSchema),
  subscriptions: list(SubscriptionSchema),
  unsubscribed: list(SubscriptionSchema),
  never_subscribed: list(NeverSubscribedSchema),
};
