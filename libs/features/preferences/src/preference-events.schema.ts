import type { TProperties } from 'typebox';
import { exact, type EventSchemas, integer, list, numbers, optional, text } from '#wire';
import { TOPIC_POLICY } from './model/preferences.js';
import { legacySettings, USER_SETTING_SCHEMAS, type UserSettingName } from './model/user-settings.js';
import { AlertWordsSchema, MutedTopicSchema, MutedUserSchema, OnboardingStepSchema } from './wire-preferences.js';

const languageName = (name: UserSettingName): TProperties =>
  name === 'default_language' ? { language_name: optional(text) } : {};

/** Changes of settings: an alternative for each. */
const changes = (Object.keys(USER_SETTING_SCHEMAS) as UserSettingName[]).map((name): TProperties => ({
  property: exact(name),
  value: USER_SETTING_SCHEMAS[name],
  ...languageName(name),
}));

const legacyChanges = (kind: 'display' | 'notification'): TProperties[] =>
  legacySettings(kind).map(({ name, legacyName }) => ({
    user: text,
    [kind === 'display' ? 'setting_name' : 'notification_name']: exact(legacyName),
    setting: USER_SETTING_SCHEMAS[name],
    ...languageName(name),
  }));

/** Client events about a user's own preferences (events.md §3). */
export const preferenceEventSchemas = {
  alert_words: { alert_words: AlertWordsSchema },
  muted_topics: { muted_topics: list(MutedTopicSchema) },
  muted_users: { muted_users: list(MutedUserSchema) },
  onboarding_steps: { onboarding_steps: list(OnboardingStepSchema) },
  user_topic: {
    stream_id: integer,
    topic_name: text,
    last_updated: integer,
    visibility_policy: numbers(...Object.values(TOPIC_POLICY)),
  },
  'user_settings/update': changes,
  update_display_settings: [
    ...legacyChanges('display'),
    { user: text, setting_name: exact('timezone'), setting: text },
  ],
  update_global_notifications: legacyChanges('notification'),
} satisfies EventSchemas;
