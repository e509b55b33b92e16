import type { Directory } from '#people';
import { type UserSettingName, preferencesPart } from '#preferences/model';

/** The user's own setting that applies where a subscription has none, by the subscription's setting. */
const INHERITED = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const satisfies Readonly<Record<string, UserSettingName>>;

/** Values in place of null, for clients without `notification_settings_null` (events.md §1). */
export type InheritedNotifications = Readonly<Record<keyof typeof INHERITED, boolean>>;

export function inheritedNotifications(directory: Directory, userId: number): InheritedNotifications {
  const preferences = directory.of(preferencesPart);
  return {
    desktop_notifications: preferences.setting(userId, INHERITED.desktop_notifications),
    audible_notifications: preferences.setting(userId, INHERITED.audible_notifications),
    push_notifications: preferences.setting(userId, INHERITED.push_notifications),
    email_notifications: preferences.setting(userId, INHERITED.email_notifications),
    wildcard_mentions_notify: preferences.setting(userId, INHERITED.wildcard_mentions_notify),
  };
}
