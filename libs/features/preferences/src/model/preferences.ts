import type { PreferencesEvent } from './preferences.events.js';
import { topicKeyOf } from './topic-key.js';
import { USER_SETTINGS, type UserSettingName, type UserSettings, type UserSettingValue } from './user-settings.js';

/** A user's visibility policy for a topic (endpoints.md §7, `visibility_policy`). */
export const TOPIC_POLICY = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type TopicPolicy = (typeof TOPIC_POLICY)[keyof typeof TOPIC_POLICY];

export interface TopicPreference {
  readonly channelId: number;
  readonly topic: string;
  readonly policy: Exclude<TopicPolicy, 0>;
  /** Seconds since the epoch. */
  readonly updatedAt: number;
}

/** Hints of clients to new users, in their order (rules.md §14). */
export const ONBOARDING_STEPS = [
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
  'navigation_tour_video',
] as const;

const NO_STEPS: readonly string[] = [];

/** A user's own preferences, folded from their stream. */
export interface Preferences {
  /** Names of the completed ones. */
  onboardingSteps: readonly string[];
  /** Those that differ from a new user's. */
  readonly settings: Map<string, UserSettingValue>;
  /** In their original spelling, by their lower case. */
  readonly alertWords: Map<string, string>;
  /** Start of each mute in seconds since the epoch, by user ID. */
  readonly mutes: Map<number, number>;
  /** By `topicPreferenceKey`. */
  readonly topics: Map<string, TopicPreference>;
}

/** Read-only view of `Preferences`. */
export type ReadonlyPreferences = {
  readonly [Field in keyof Preferences]: Preferences[Field] extends Map<infer Key, infer Value>
    ? ReadonlyMap<Key, Value>
    : Preferences[Field];
};

/** A time during which a user was muted: from one message ID to another, open while it lasts. */
export interface MuteSpan {
  readonly fromId: number;
  readonly untilId: number | null;
}

/** A user's preferences in a snapshot: plain JSON. */
export interface PreferencesRecord {
  readonly userId: number;
  readonly settings: readonly (readonly [string, UserSettingValue])[];
  readonly alertWords: readonly string[];
  readonly mutes: readonly (readonly [mutedUserId: number, since: number])[];
  readonly topics: readonly TopicPreference[];
  /** Absent for none. */
  readonly onboardingSteps?: readonly string[];
  /** Including former mutes: messages that arrived read stay read. */
  readonly muteSpans: readonly (readonly [mutedUserId: number, spans: readonly MuteSpan[]])[];
}

export function noPreferences(): Preferences {
  return {
    onboardingSteps: NO_STEPS,
    settings: new Map(),
    alertWords: new Map(),
    mutes: new Map(),
    topics: new Map(),
  };
}

export function topicPreferenceKey(channelId: number, topic: string): string {
  return `${channelId}:${topicKeyOf(topic)}`;
}

export function settingOf<Name extends UserSettingName>(
  { settings }: Pick<ReadonlyPreferences, 'settings'>,
  name: Name,
): UserSettings[Name] {
  return (settings.get(name) ?? USER_SETTINGS[name]) as UserSettings[Name];
}

/** A stored value as it is set today: former releases kept the code of a language in the case that it was written in. */
export function currentValue(name: string, value: UserSettingValue): UserSettingValue {
  return name === 'default_language' ? String(value).toLowerCase() : value;
}

/** Folds an event in place. */
export function evolvePreferences(preferences: Preferences, event: PreferencesEvent): Preferences {
  const { settings, alertWords, mutes, topics } = preferences;
  switch (event.type) {
    case 'mute.added.v1':
      mutes.set(event.data.mutedUserId, event.data.at);
      return preferences;
    case 'mute.removed.v1':
      mutes.delete(event.data.mutedUserId);
      return preferences;
    case 'alert-words.added.v1':
      for (const word of event.data.words) alertWords.set(word.toLowerCase(), word);
      return preferences;
    case 'alert-words.removed.v1':
      for (const word of event.data.words) alertWords.delete(word.toLowerCase());
      return preferences;
    case 'topic-policy.set.v1': {
      const { channelId, topic, policy, at } = event.data;
      const key = topicPreferenceKey(channelId, topic);
      if (policy === TOPIC_POLICY.inherit) topics.delete(key);
      else topics.set(key, { channelId, topic, policy, updatedAt: at });
      return preferences;
    }
    case 'user-settings.changed.v1':
      for (const [name, value] of Object.entries(event.data.settings)) settings.set(name, currentValue(name, value));
      return preferences;
    case 'onboarding-step.completed.v1':
      preferences.onboardingSteps = [...preferences.onboardingSteps, event.data.step];
      return preferences;
    default:
      // The stream has events of other features as well.
      return preferences;
  }
}
