import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';
import { NewChannelNotices } from '../new-channel-notices.js';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();

/**
 * On the last event of a request: how many events the request recorded, including this one; they are consecutive in the
 * stream.
 */
const OfRequest = { facts: Type.Integer({ minimum: 1 }) };

const SubscribedBy = {
  by: Type.Union([Id, Type.Null()]),
  at: At,
  entails: Type.Optional(NewChannelNotices),
};

export const channelSubscribed = organizationEvent(
  'channel.subscribed.v1',
  exactly({
    channelId: Id,
    subscribers: Type.Array(exactly({ userId: Id, color: Type.String() }), { minItems: 1 }),
    ...SubscribedBy,
  }),
);

/** The same users subscribed to several channels by one request. */
export const channelsSubscribed = organizationEvent(
  'channels.subscribed.v1',
  exactly({
    /** With the colours in the order of the users. */
    channels: Type.Array(exactly({ channelId: Id, colors: Type.Array(Type.String()) }), { minItems: 2 }),
    userIds: Type.Array(Id, { minItems: 1 }),
    ...SubscribedBy,
  }),
);

const UnsubscribedBy = {
  by: Id,
  at: At,
  /** Unread messages of the channels left by this request are to be marked as read; absent in old events. */
  entails: Type.Optional(exactly(OfRequest)),
};

export const channelUnsubscribed = organizationEvent(
  'channel.unsubscribed.v1',
  exactly({
    channelId: Id,
    userIds: Type.Array(Id, { minItems: 1 }),
    ...UnsubscribedBy,
  }),
);

/** The same users unsubscribed from several channels by one request. */
export const channelsUnsubscribed = organizationEvent(
  'channels.unsubscribed.v1',
  exactly({
    channelIds: Type.Array(Id, { minItems: 2 }),
    userIds: Type.Array(Id, { minItems: 1 }),
    ...UnsubscribedBy,
  }),
);

/** A subscriber's own settings of their subscriptions: lists only what changed, in the order of the request. */
export const subscriptionSettingsChanged = organizationEvent(
  'subscription.settings-changed.v1',
  exactly({
    userId: Id,
    changes: Type.Array(
      exactly({
        channelId: Id,
        /** By its name on the wire. */
        setting: Type.String(),
        value: Type.Union([Type.Boolean(), Type.String()]),
      }),
      { minItems: 1 },
    ),
    at: At,
  }),
);

export const subscriptionEventTypes = [
  channelSubscribed,
  channelsSubscribed,
  channelUnsubscribed,
  channelsUnsubscribed,
  subscriptionSettingsChanged,
] as const;

export type ChannelSubscribed = EventOf<typeof channelSubscribed>;
export type ChannelsSubscribed = EventOf<typeof channelsSubscribed>;
export type ChannelsUnsubscribed = EventOf<typeof channelsUnsubscribed>;
export type ChannelUnsubscribed = EventOf<typeof channelUnsubscribed>;
export type SubscriptionSettingsChanged = EventOf<typeof subscriptionSettingsChanged>;
export type SubscriptionEvent = EventOf<(typeof subscriptionEventTypes)[number]>;
