import type { Subscription } from './subscription.js';

/** A user's settings of one subscription: the record's fields by their names on the wire. */
export const SUBSCRIPTION_SETTINGS = {
  color: 'color',
  is_muted: 'isMuted',
  pin_to_top: 'pinToTop',
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
} as const satisfies Readonly<Record<string, keyof Subscription>>;

export type SubscriptionSetting = keyof typeof SUBSCRIPTION_SETTINGS;
