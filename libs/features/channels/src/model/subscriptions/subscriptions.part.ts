import { directoryBook } from '#directory';
import { SUBSCRIPTION_SETTINGS, type SubscriptionSetting } from './subscription-settings.js';
import { packSubscriptions, unpackSubscriptions } from './packed-subscriptions.js';
import { SubscriptionBook } from './subscription-book.js';
import { subscriptionEventTypes } from './subscription.events.js';

/** Subscriptions to channels, including former ones. */
export const subscriptionsPart = directoryBook({
  name: 'subscriptions',
  events: subscriptionEventTypes,
  open: () => new SubscriptionBook(),
  earlier: {
    'subscription.settings-changed.v1': (subscriptions, { userId, changes }) => ({
      changes: changes.map(({ channelId, setting }) => {
        const field = SUBSCRIPTION_SETTINGS[setting as SubscriptionSetting];
        return { channelId, setting, value: subscriptions.get(userId, channelId)?.[field] ?? null };
      }),
    }),
  },
  packing: { pack: packSubscriptions, unpack: unpackSubscriptions },
});
