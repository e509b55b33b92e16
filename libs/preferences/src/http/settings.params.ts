import { boolean, integer, oneOf, Param, text, type Decoder } from '#http';
import { badRequest } from '#kernel';
import {
  EMOJISET_CHOICES,
  NOTIFICATION_SOUNDS,
  USER_SETTINGS,
  type UserSettingName,
  type UserSettingValue,
} from '#organization';
import { languageName } from '../languages.js';

const LANGUAGE_LENGTH_MAX = 50;
const WEEK_SECONDS = 604_800;

/** Clients of long ago send such text as JSON. */
function unquoted<Value>(decoder: Decoder<Value>): Decoder<Value> {
  return { ...decoder, decode: (raw, name) => decoder.decode(/^".*"$/.test(raw) ? raw.slice(1, -1) : raw, name) };
}

function choice(...values: readonly string[]): Decoder<string> {
  return unquoted(oneOf(...values));
}

function language(): Decoder<string> {
  const plain = unquoted(text({ max: LANGUAGE_LENGTH_MAX }));
  return {
    ...plain,
    decode(raw, name) {
      const code = plain.decode(raw, name);
      if (languageName(code) === undefined) throw badRequest(`Invalid ${name}`);
      return code;
    },
  };
}

/** What settings that are no switches may be (register.md §5). */
const VALUES: Partial<Record<UserSettingName, Decoder<number> | Decoder<string>>> = {
  emojiset: choice(...EMOJISET_CHOICES.map(({ key }) => key)),
  default_language: language(),
  color_scheme: oneOf(1, 2, 3),
  user_list_style: oneOf(1, 2, 3),
  demote_inactive_streams: oneOf(1, 2, 3),
  web_home_view: choice('inbox', 'recent_topics', 'all_messages'),
  web_font_size_px: integer({ min: 10, max: 30 }),
  web_line_height_percent: integer({ min: 100, max: 200 }),
  web_mark_read_on_scroll_policy: oneOf(1, 2, 3),
  web_channel_default_view: oneOf(1, 2, 3, 4),
  web_stream_unreads_count_display_policy: oneOf(1, 2, 3),
  web_animate_image_previews: choice('always', 'on_hover', 'never'),
  notification_sound: choice('none', ...NOTIFICATION_SOUNDS),
  email_notifications_batching_period_seconds: integer({ min: 1, max: WEEK_SECONDS }),
  desktop_icon_count_display: oneOf(1, 2, 3, 4),
  realm_name_in_email_notifications_policy: oneOf(1, 2, 3),
  automatically_follow_topics_policy: oneOf(1, 2, 3, 4),
  automatically_unmute_topics_in_muted_streams_policy: oneOf(1, 2, 3, 4),
  resolved_topic_notice_auto_read_policy: choice('always', 'except_followed', 'never'),
};

/** Any of a user's settings. What belongs to the account (name, address, password, time zone) is not among them. */
export class SettingsParams {
  /** Those that were given. */
  given(): Partial<Record<UserSettingName, UserSettingValue>> {
    return Object.fromEntries(Object.entries(this).filter(([, value]) => value !== undefined));
  }
}

for (const [name, value] of Object.entries(USER_SETTINGS)) {
  const decoder: Decoder<UserSettingValue> | undefined =
    typeof value === 'boolean' ? boolean() : VALUES[name as UserSettingName];
  if (decoder !== undefined) Param<UserSettingValue>(decoder, { optional: true })(SettingsParams.prototype, name);
}
