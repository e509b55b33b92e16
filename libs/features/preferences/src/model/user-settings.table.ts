/** How a personal setting is written, and what it may be. */
export type UserSettingForm =
  | { readonly kind: 'switch' }
  | { readonly kind: 'number'; readonly oneOf: readonly number[] }
  | { readonly kind: 'range'; readonly min: number; readonly max: number }
  | { readonly kind: 'word'; readonly oneOf: readonly string[] }
  /** Code of a natural language. */
  | { readonly kind: 'language' }
  /** Part of the account: changed with it, and not as a setting. */
  | { readonly kind: 'account' };

/** A personal setting. */
export interface UserSetting {
  readonly form: UserSettingForm;
  /** The server's default; the organization may set another one for new users. */
  readonly default: boolean | number | string;
  /** What it decides; "Clients" begins a setting that the server only keeps and tells. */
  readonly does: string;
  /** Older clients read it as a key of its own, and are told of it by `update_display_settings` or `update_global_notifications`. */
  readonly legacy?: 'display' | 'notification';
  /** Its name as such a key, where that is another. */
  readonly legacyName?: string;
}

type More = Pick<UserSetting, 'legacy' | 'legacyName'>;

const WEEK_SECONDS = 604_800;

export const EMOJISET_CHOICES = [
  { key: 'google', text: 'Google' },
  { key: 'google-blob', text: 'Google blobs' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
] as const;

export const NOTIFICATION_SOUNDS = ['ding', 'zulip'] as const;

const DISPLAY = { legacy: 'display' } as const;
const NOTIFICATION = { legacy: 'notification' } as const;

const onOff = (value: boolean, does: string, more: More = {}) => ({
  form: { kind: 'switch' } as const,
  default: value,
  does,
  ...more,
});
/** One of the numbers from 1 to the last. */
const choice = (value: number, last: number, does: string, more: More = {}) => ({
  form: { kind: 'number', oneOf: Array.from({ length: last }, (_, index) => index + 1) } as const,
  default: value,
  does,
  ...more,
});
const range = (value: number, min: number, max: number, does: string, more: More = {}) => ({
  form: { kind: 'range', min, max } as const,
  default: value,
  does,
  ...more,
});
const word = (value: string, oneOf: readonly string[], does: string, more: More = {}) => ({
  form: { kind: 'word', oneOf } as const,
  default: value,
  does,
  ...more,
});
const NO_MAIL = 'Kept for clients; no e-mail is sent:';

/**
 * Every personal setting (register.md §5), by its name on the wire. Parameters of `PATCH /settings` and `PATCH
 * /realm/user_settings_defaults`, register fields, client events and documentation are made from it.
 */
export const USER_SETTING_TABLE = {
  twenty_four_hour_time: onOff(false, 'Clients: show times as 16:00 and not as 4:00 PM.', DISPLAY),
  starred_message_counts: onOff(true, 'Clients: show the number of starred messages.', DISPLAY),
  display_emoji_reaction_users: onOff(true, 'Clients: name those who reacted, where they are few.'),
  emojiset: word(
    'google',
    EMOJISET_CHOICES.map(({ key }) => key),
    'Clients: pictures of emoji.',
    DISPLAY,
  ),
  presence_enabled: onOff(true, 'Others see when the user is active.', NOTIFICATION),
  web_inbox_show_channel_folders: onOff(true, 'Clients: group the inbox by channel folders.'),
  send_private_typing_notifications: onOff(true, 'Others see when the user types a direct message.'),
  send_stream_typing_notifications: onOff(true, 'Others see when the user types in a channel.'),
  receives_typing_notifications: onOff(true, 'The user sees when others type.'),
  pm_content_in_desktop_notifications: onOff(
    true,
    'Clients: show the content of direct messages in notifications.',
    NOTIFICATION,
  ),
  default_language: {
    form: { kind: 'language' } as const,
    default: 'en',
    does: 'Clients: language of the interface.',
    ...DISPLAY,
  },
  timezone: {
    form: { kind: 'account' } as const,
    default: '',
    does: 'Time zone of the profile.',
  },
  color_scheme: choice(1, 3, 'Clients: colors; 1 as the system, 2 dark, 3 light.', DISPLAY),
  enter_sends: onOff(false, 'Clients: Enter sends a message.', DISPLAY),
  fluid_layout_width: onOff(false, 'Clients: use the whole width.', DISPLAY),
  high_contrast_mode: onOff(false, 'Clients: high contrast.', DISPLAY),
  translate_emoticons: onOff(false, 'Emoticons such as :) become emoji in messages that the user sends.', DISPLAY),
  left_side_userlist: onOff(false, 'Clients: list of users on the left in narrow windows.', DISPLAY),
  user_list_style: choice(2, 3, 'Clients: 1 compact, 2 with status, 3 with status and avatar.'),
  demote_inactive_streams: choice(
    1,
    3,
    'Clients: put inactive channels last; 1 automatically, 2 always, 3 never.',
    DISPLAY,
  ),
  hide_ai_features: onOff(false, 'Clients: hide features that use language models.'),
  web_home_view: word('inbox', ['inbox', 'recent_topics', 'all_messages'], 'Clients: view at the start.', {
    ...DISPLAY,
    legacyName: 'default_view',
  }),
  web_escape_navigates_to_home_view: onOff(true, 'Clients: Escape leads to the view at the start.'),
  web_font_size_px: range(16, 10, 30, 'Clients: size of text in pixels.'),
  web_line_height_percent: range(140, 100, 200, 'Clients: height of lines in percent.'),
  web_mark_read_on_scroll_policy: choice(
    1,
    3,
    'Clients: scrolling marks as read; 1 always, 2 in conversations, 3 never.',
  ),
  web_channel_default_view: choice(
    1,
    4,
    'Clients: a click on a channel shows 1 its first topic, 2 its feed, 3 its topics, 4 its first unread topic.',
  ),
  web_stream_unreads_count_display_policy: choice(
    2,
    3,
    'Clients: unread counts of channels; 1 all, 2 those that are not muted, 3 none.',
  ),
  web_animate_image_previews: word('on_hover', ['always', 'on_hover', 'never'], 'Clients: when images move.'),
  web_navigate_to_sent_message: onOff(true, 'Clients: go to the conversation of a sent message.'),
  web_suggest_update_timezone: onOff(true, 'Clients: offer to change the time zone.'),
  web_left_sidebar_unreads_count_summary: onOff(true, 'Clients: show the number of all unread messages.'),
  web_left_sidebar_show_channel_folders: onOff(true, 'Clients: group channels by folders.'),
  enable_stream_desktop_notifications: onOff(false, 'Clients: notifications of channel messages.', NOTIFICATION),
  enable_stream_email_notifications: onOff(false, 'Mail about channel messages.', NOTIFICATION),
  enable_stream_push_notifications: onOff(false, 'Push notifications of channel messages.', NOTIFICATION),
  enable_stream_audible_notifications: onOff(false, 'Clients: sounds for channel messages.', NOTIFICATION),
  wildcard_mentions_notify: onOff(true, 'Clients: wildcard mentions notify like personal ones.', NOTIFICATION),
  enable_followed_topic_desktop_notifications: onOff(true, 'Clients: notifications of followed topics.'),
  enable_followed_topic_email_notifications: onOff(true, 'Mail about followed topics.'),
  enable_followed_topic_push_notifications: onOff(true, 'Push notifications of followed topics.'),
  enable_followed_topic_audible_notifications: onOff(true, 'Clients: sounds for followed topics.'),
  enable_followed_topic_wildcard_mentions_notify: onOff(
    true,
    'Clients: wildcard mentions in followed topics notify like personal ones.',
  ),
  enable_desktop_notifications: onOff(true, 'Clients: notifications of direct messages and mentions.', NOTIFICATION),
  enable_sounds: onOff(true, 'Clients: sounds for direct messages and mentions.', NOTIFICATION),
  enable_offline_email_notifications: onOff(
    true,
    'Mail about direct messages and mentions, while the user is away.',
    NOTIFICATION,
  ),
  enable_offline_push_notifications: onOff(true, 'Push notifications of direct messages and mentions.', NOTIFICATION),
  enable_online_push_notifications: onOff(true, 'Push notifications also while the user is active.', NOTIFICATION),
  enable_digest_emails: onOff(true, `${NO_MAIL} of what happened.`, NOTIFICATION),
  enable_login_emails: onOff(true, `${NO_MAIL} about logins.`, NOTIFICATION),
  enable_marketing_emails: onOff(true, `${NO_MAIL} about the product.`, NOTIFICATION),
  message_content_in_email_notifications: onOff(true, 'Mail about missed messages contains them.', NOTIFICATION),
  notification_sound: word('zulip', ['none', ...NOTIFICATION_SOUNDS], 'Clients: sound of notifications.', NOTIFICATION),
  email_notifications_batching_period_seconds: range(
    120,
    1,
    WEEK_SECONDS,
    'Seconds of missed messages that are collected in one mail.',
    NOTIFICATION,
  ),
  desktop_icon_count_display: choice(
    1,
    4,
    'Clients: count on the icon; 1 all unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none.',
    NOTIFICATION,
  ),
  realm_name_in_email_notifications_policy: choice(
    1,
    3,
    'Name of the organization in subjects of mail about missed messages; 1 automatically, which is never, 2 always, 3 never.',
    NOTIFICATION,
  ),
  automatically_follow_topics_policy: choice(
    3,
    4,
    'The user follows topics in which they 1 take part, 2 send, 3 send first; 4 never.',
  ),
  automatically_unmute_topics_in_muted_streams_policy: choice(
    2,
    4,
    'In muted channels the user unmutes topics in which they 1 take part, 2 send, 3 send first; 4 never.',
  ),
  automatically_follow_topics_where_mentioned: onOff(true, 'The user follows topics in which they are mentioned.'),
  resolved_topic_notice_auto_read_policy: word(
    'except_followed',
    ['always', 'except_followed', 'never'],
    'Notices that a topic is resolved arrive read.',
  ),
  send_read_receipts: onOff(true, 'Others see what the user has read.'),
  allow_private_data_export: onOff(false, 'Exports may include what only the user can read.'),
  enable_drafts_synchronization: onOff(true, 'Drafts are kept on the server; switching it off erases them.', DISPLAY),
  email_address_visibility: {
    form: { kind: 'number', oneOf: [1, 2, 3, 4, 5] } as const,
    default: 1,
    does: 'Who sees the e-mail address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.',
  },
} as const satisfies Readonly<Record<string, UserSetting>>;
