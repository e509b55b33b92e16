import { boolean, integer, NotSupportedYet, Param, unquoted, type WireType } from '#http';
import {
  EMOJISET_CHOICES,
  languageName,
  NOTIFICATION_SOUNDS,
  USER_SETTINGS,
  type UserSettingName,
  type UserSettingValue,
} from '#organization';
import { IsIn, Max, MaxCharacters, Min, stacked, ValidateBy } from '#validation';

const LANGUAGE_LENGTH_MAX = 50;
const WEEK_SECONDS = 604_800;

/** A setting that is no switch: how it is written, and what it may be. */
interface Setting {
  readonly type: WireType<number> | WireType<string>;
  readonly constraints: PropertyDecorator;
}

function word(...values: readonly string[]): Setting {
  return { type: unquoted(), constraints: IsIn(values) };
}

function policy(...values: readonly number[]): Setting {
  return { type: integer(), constraints: IsIn(values) };
}

function within(min: number, max: number): Setting {
  return { type: integer(), constraints: stacked(Min(min), Max(max)) };
}

const IsLanguage = ValidateBy({
  name: 'isLanguage',
  validator: {
    validate: (code: string) => languageName(code) !== undefined,
    defaultMessage: () => 'Invalid $property',
  },
});

/** Values of settings that are not boolean (register.md §5). */
const VALUES: Partial<Record<UserSettingName, Setting>> = {
  emojiset: word(...EMOJISET_CHOICES.map(({ key }) => key)),
  default_language: { type: unquoted(), constraints: stacked(MaxCharacters(LANGUAGE_LENGTH_MAX), IsLanguage) },
  color_scheme: policy(1, 2, 3),
  user_list_style: policy(1, 2, 3),
  demote_inactive_streams: policy(1, 2, 3),
  web_home_view: word('inbox', 'recent_topics', 'all_messages'),
  web_font_size_px: within(10, 30),
  web_line_height_percent: within(100, 200),
  web_mark_read_on_scroll_policy: policy(1, 2, 3),
  web_channel_default_view: policy(1, 2, 3, 4),
  web_stream_unreads_count_display_policy: policy(1, 2, 3),
  web_animate_image_previews: word('always', 'on_hover', 'never'),
  notification_sound: word('none', ...NOTIFICATION_SOUNDS),
  email_notifications_batching_period_seconds: within(1, WEEK_SECONDS),
  desktop_icon_count_display: policy(1, 2, 3, 4),
  realm_name_in_email_notifications_policy: policy(1, 2, 3),
  automatically_follow_topics_policy: policy(1, 2, 3, 4),
  automatically_unmute_topics_in_muted_streams_policy: policy(1, 2, 3, 4),
  resolved_topic_notice_auto_read_policy: word('always', 'except_followed', 'never'),
};

/** Fields of the account instead of its settings (endpoints.md §7). */
const OF_THE_ACCOUNT = ['full_name', 'email', 'old_password', 'new_password'] as const;

/** Any of a user's settings, but for those that cannot be changed yet. */
export class UserSettingsParams {
  /** Those that were given. */
  given(): Partial<Record<UserSettingName, UserSettingValue>> {
    return Object.fromEntries(Object.entries(this).filter(([, value]) => value !== undefined));
  }
}

for (const [name, value] of Object.entries(USER_SETTINGS)) {
  const setting = VALUES[name as UserSettingName];
  if (typeof value === 'boolean') {
    Param(boolean(), { optional: true })(UserSettingsParams.prototype, name);
  } else if (setting === undefined) {
    NotSupportedYet(name)(UserSettingsParams);
  } else {
    setting.constraints(UserSettingsParams.prototype, name);
    Param<UserSettingValue>(setting.type, { optional: true })(UserSettingsParams.prototype, name);
  }
}

/** Earlier name of `web_home_view`. */
const EARLIER_NAME = 'default_view';

/** A user's own settings, and what of their account goes by the same route. */
@NotSupportedYet(...OF_THE_ACCOUNT, EARLIER_NAME)
export class SettingsParams extends UserSettingsParams {}
