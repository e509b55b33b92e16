/** Settings of the reader that the page shows, from the server's table: where, and under which words. */
import type { Fields } from '#client';
import { USER_SETTINGS } from './tables.generated.js';

/** How a value is chosen. The server's tables say which form a setting has, and its bounds. */
export type Form =
  | { readonly kind: 'switch' }
  | { readonly kind: 'number'; readonly oneOf: readonly number[] }
  | { readonly kind: 'range'; readonly min: number; readonly max: number }
  | { readonly kind: 'count'; readonly max: number }
  | { readonly kind: 'word'; readonly oneOf: readonly string[] }
  | { readonly kind: 'text'; readonly lengthMax: number }
  | {
      readonly kind:
        | 'time-limit'
        | 'retention'
        | 'channel'
        | 'language'
        | 'code-language'
        | 'login-methods'
        | 'video-chat-provider'
        | 'website'
        | 'account';
    };

export type UserSettingName = keyof typeof USER_SETTINGS;
export type Section = 'appearance' | 'notifications' | 'privacy';

/**
 * Where each setting stands. Those without a section are shown nowhere here: other clients obey them, and this page does not. A new
 * setting of the server does not compile until it is decided.
 */
const SECTIONS = {
  color_scheme: 'appearance',
  twenty_four_hour_time: 'appearance',
  enter_sends: 'appearance',
  web_mark_read_on_scroll_policy: 'appearance',
  translate_emoticons: 'appearance',
  receives_typing_notifications: 'appearance',

  enable_desktop_notifications: 'notifications',
  pm_content_in_desktop_notifications: 'notifications',
  enable_stream_desktop_notifications: 'notifications',
  enable_followed_topic_desktop_notifications: 'notifications',
  wildcard_mentions_notify: 'notifications',
  enable_followed_topic_wildcard_mentions_notify: 'notifications',
  enable_offline_email_notifications: 'notifications',
  enable_stream_email_notifications: 'notifications',
  enable_followed_topic_email_notifications: 'notifications',
  message_content_in_email_notifications: 'notifications',
  email_notifications_batching_period_seconds: 'notifications',
  realm_name_in_email_notifications_policy: 'notifications',
  enable_offline_push_notifications: 'notifications',
  enable_online_push_notifications: 'notifications',
  enable_stream_push_notifications: 'notifications',
  enable_followed_topic_push_notifications: 'notifications',
  automatically_follow_topics_policy: 'notifications',
  automatically_follow_topics_where_mentioned: 'notifications',
  automatically_unmute_topics_in_muted_streams_policy: 'notifications',
  resolved_topic_notice_auto_read_policy: 'notifications',

  presence_enabled: 'privacy',
  send_read_receipts: 'privacy',
  send_private_typing_notifications: 'privacy',
  send_stream_typing_notifications: 'privacy',
  email_address_visibility: 'privacy',
  enable_drafts_synchronization: 'privacy',
  allow_private_data_export: 'privacy',

  // One control of the page, the density, sets both.
  web_font_size_px: undefined,
  web_line_height_percent: undefined,
  // Part of the profile.
  timezone: undefined,
  starred_message_counts: undefined,
  display_emoji_reaction_users: undefined,
  emojiset: undefined,
  web_inbox_show_channel_folders: undefined,
  default_language: undefined,
  fluid_layout_width: undefined,
  high_contrast_mode: undefined,
  left_side_userlist: undefined,
  user_list_style: undefined,
  demote_inactive_streams: undefined,
  hide_ai_features: undefined,
  web_home_view: undefined,
  web_escape_navigates_to_home_view: undefined,
  web_channel_default_view: undefined,
  web_stream_unreads_count_display_policy: undefined,
  web_animate_image_previews: undefined,
  web_navigate_to_sent_message: undefined,
  web_suggest_update_timezone: undefined,
  web_left_sidebar_unreads_count_summary: undefined,
  web_left_sidebar_show_channel_folders: undefined,
  enable_stream_audible_notifications: undefined,
  enable_followed_topic_audible_notifications: undefined,
  enable_sounds: undefined,
  enable_digest_emails: undefined,
  enable_login_emails: undefined,
  enable_marketing_emails: undefined,
  notification_sound: undefined,
  desktop_icon_count_display: undefined,
} as const satisfies Record<UserSettingName, Section | undefined>;

export type ShownSetting = {
  [Name in UserSettingName]: (typeof SECTIONS)[Name] extends Section ? Name : never;
}[UserSettingName];

/** Settings of a section, in their order. */
export function settingsOf(section: Section): readonly { readonly name: ShownSetting; readonly form: Form }[] {
  return Object.entries(SECTIONS)
    .filter(([, where]) => where === section)
    .map(([name]) => ({ name: name as ShownSetting, form: USER_SETTINGS[name as ShownSetting].form }));
}

/** A text among what the server has told; empty when it has not. */
export function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}
