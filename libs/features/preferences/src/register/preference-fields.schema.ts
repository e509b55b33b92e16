import type { TProperties } from 'typebox';
import { integer, list, named, nullable, object, text } from '#wire';
import { legacySettings, USER_SETTING_SCHEMAS } from '../model/user-settings.js';
import {
  AlertWordsSchema,
  MutedTopicSchema,
  MutedUserSchema,
  OnboardingStepSchema,
  UserTopicSchema,
} from '../wire-preferences.js';

const CHOICES = {
  emojiset_choices: list(object({ key: text, text })),
  available_notification_sounds: list(text),
};

const { timezone: _, ...defaults } = USER_SETTING_SCHEMAS;

const legacyFields: TProperties = Object.fromEntries(
  (['display', 'notification'] as const).flatMap((kind) =>
    legacySettings(kind).map(({ name, legacyName }) => [legacyName, USER_SETTING_SCHEMAS[name]]),
  ),
);

/** The viewer's own preferences and settings (register.md §2 and §5). */
export const preferenceFieldSchemas: TProperties = {
  alert_words: AlertWordsSchema,
  muted_topics: list(MutedTopicSchema),
  muted_users: list(MutedUserSchema),
  onboarding_steps: list(OnboardingStepSchema),
  navigation_tour_video_url: nullable(text),
  user_topics: list(UserTopicSchema),
  user_settings: named('UserSettings', object({ ...USER_SETTING_SCHEMAS, ...CHOICES })),
  realm_user_settings_defaults: named(
    'UserSettingDefaults',
    object({ ...defaults, email_address_visibility: integer, ...CHOICES }),
  ),
  ...legacyFields,
  timezone: text,
  ...CHOICES,
};
