import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';
import { NewChannelNotices } from '../channels/channel.events.js';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();

/**
 * On the last event of a request: how many events the request recorded, including this one; they are consecutive in the
 * stream.
 */
const OfRequest = { facts: Type.Integer({ minimum: 1 }) };

export const channelSubscribed = eventType(
  'channel.subscribed.v1',
  exactly({
    channelId: Id,
    subscribers: Type.Array(exactly({ userId: Id, color: Type.String() }), { minItems: 1 }),
    by: Type.Union([Id, Type.Null()]),
    at: At,
    entails: Type.Optional(NewChannelNotices),
  }),
);

export const channelUnsubscribed = eventType(
  'channel.unsubscribed.v1',
  exactly({
    channelId: Id,
    userIds: Type.Array(Id, { minItems: 1 }),
    by: Id,
    at: At,
    /** Unread messages of the channels left by this request are to be marked as read; absent in old events. */
    entails: Type.Optional(exactly(OfRequest)),
  }),
);

/** A subscriber's own settings of their subscriptions: lists only what changed, in the order of the request. */
export const subscriptionSettingsChanged = eventType(
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

export const subscriptionEventTypes = [channelSubscribed, channelUnsubscribed, subscriptionSettingsChanged] as const;

export type ChannelSubscribed = EventOf<typeof channelSubscribed>;
export type ChannelUnsubscribed = EventOf<typeof channelUnsubscribed>;
export type SubscriptionSettingsChanged = EventOf<typeof subscriptionSettingsChanged>;
export type SubscriptionEvent = EventOf<(typeof subscriptionEventTypes)[number]>;
