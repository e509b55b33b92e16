import { directoryBook } from '#directory';
import { packSubscriptions, unpackSubscriptions } from './packed-subscriptions.js';
import { SubscriptionBook } from './subscription-book.js';
import { subscriptionEventTypes } from './subscription.events.js';

/** Subscriptions to channels, including former ones. */
export const subscriptionsPart = directoryBook({
  name: 'subscriptions',
  events: subscriptionEventTypes,
  open: () => new SubscriptionBook(),
  packing: { pack: packSubscriptions, unpack: unpackSubscriptions },
});
