import type { TLiteral, TOptional, TSchema, TString } from 'typebox';
import { exact, type EventSchemas, integer, list, numbers, optional, text } from '#wire';
import { TOPIC_POLICY } from './model/preferences.js';
import { legacySettings, USER_SETTING_SCHEMAS, type UserSettingName } from './model/user-settings.js';
import { AlertWordsSchema, MutedTopicSchema, MutedUserSchema, OnboardingStepSchema } from './wire-preferences.js';

type LanguageName = Readonly<Record<'language_name', TOptional<TString>>>;

/** Of changes of the language alone; types have it of all. */
const languageName = (name: UserSettingName): LanguageName =>
  (name === 'default_language' ? { language_name: optional(text) } : {}) as LanguageName;

/** Changes of settings: an alternative for each. */
const changes = (Object.keys(USER_SETTING_SCHEMAS) as UserSettingName[]).map((name) => ({
  property: exact<string>(name),
  value: USER_SETTING_SCHEMAS[name],
  ...languageName(name),
}));

const legacyChanges = <Key extends 'setting_name' | 'notification_name'>(
  kind: 'display' | 'notification',
  key: Key,
): (LanguageName & Record<'user', TString> & Record<'setting', TSchema> & Record<Key, TLiteral<string>>)[] =>
  legacySettings(kind).map(({ name, legacyName }) => ({
    user: text,
    ...({ [key]: exact<string>(legacyName) } as Record<Key, TLiteral<string>>),
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
    ...legacyChanges('display', 'setting_name'),
    { user: text, setting_name: exact('timezone'), setting: text },
  ],
  update_global_notifications: legacyChanges('notification', 'notification_name'),
} satisfies EventSchemas;
