import type { Handlers, LogPoint } from '#directory';
import { coversMessage } from '#channels/model';
import { AlertWordIndex } from './alert-word-index.js';
import type { PreferencesEvent } from './preferences.events.js';
import {
  currentValue,
  evolvePreferences,
  type MuteSpan,
  noPreferences,
  type Preferences,
  type PreferencesRecord,
  type ReadonlyPreferences,
  settingOf,
  TOPIC_POLICY,
  type TopicPolicy,
  type TopicPreference,
  topicPreferenceKey,
} from './preferences.js';
import { USER_SETTINGS, type UserSettingName, type UserSettings } from './user-settings.js';

interface Entry {
  readonly preferences: Preferences;
  readonly muteSpans: Map<number, readonly MuteSpan[]>;
}

/** Users' own preferences that delivery and permissions need; a part of the directory. */
export class PreferencesBook {
  readonly #entries = new Map<number, Entry>();
  readonly #alertWords = new AlertWordIndex();

  readonly #take = (event: PreferencesEvent, { lastMessageId }: LogPoint): void => {
    this.evolve(event, lastMessageId);
  };

  readonly on: Handlers<PreferencesEvent> = {
    'mute.added.v1': this.#take,
    'mute.removed.v1': this.#take,
    'alert-words.added.v1': this.#take,
    'alert-words.removed.v1': this.#take,
    'topic-policy.set.v1': this.#take,
    'user-settings.changed.v1': this.#take,
    'onboarding-step.completed.v1': this.#take,
  };

  /** @param lastMessageId ID of the newest message sent before the event */
  evolve(event: PreferencesEvent, lastMessageId: number): void {
    const { userId } = event.data;
    const { preferences, muteSpans } = this.#entry(userId);
    this.#index(event);
    if (event.type === 'mute.added.v1') {
      const { mutedUserId } = event.data;
      const spans = muteSpans.get(mutedUserId) ?? [];
      if (spans.at(-1)?.untilId !== null)
        muteSpans.set(mutedUserId, [...spans, { fromId: lastMessageId + 1, untilId: null }]);
    } else if (event.type === 'mute.removed.v1') {
      const { mutedUserId } = event.data;
      const spans = muteSpans.get(mutedUserId) ?? [];
      muteSpans.set(
        mutedUserId,
        spans.map((span) => (span.untilId === null ? { ...span, untilId: lastMessageId } : span)),
      );
    }
    evolvePreferences(preferences, event);
  }

  /** All preferences of the user. Mutable: callers must not keep it. */
  of(userId: number): ReadonlyPreferences {
    return this.#entries.get(userId)?.preferences ?? NONE;
  }

  setting<Name extends UserSettingName>(userId: number, name: Name): UserSettings[Name] {
    return settingOf(this.of(userId), name);
  }

  /** All settings of the user. */
  settings(userId: number): UserSettings {
    return { ...USER_SETTINGS, ...Object.fromEntries(this.of(userId).settings) };
  }

  /** Users whose setting has this value, which is not the default one. */
  *usersWith<Name extends UserSettingName>(name: Name, value: UserSettings[Name]): Generator<number> {
    for (const [userId, { preferences }] of this.#entries) if (settingOf(preferences, name) === value) yield userId;
  }

  topicPolicy(userId: number, channelId: number, topic: string): TopicPolicy {
    return this.topicPreference(userId, channelId, topic)?.policy ?? TOPIC_POLICY.inherit;
  }

  topicPreference(userId: number, channelId: number, topic: string): TopicPreference | undefined {
    const { topics } = this.of(userId);
    return topics.size === 0 ? undefined : topics.get(topicPreferenceKey(channelId, topic));
  }

  /** All users with a policy for the topic. */
  *inTopic(channelId: number, topic: string): Generator<TopicPreference & { readonly userId: number }> {
    const key = topicPreferenceKey(channelId, topic);
    for (const [userId, { preferences }] of this.#entries) {
      const preference = preferences.topics.get(key);
      if (preference !== undefined) yield { userId, ...preference };
    }
  }

  isMuting(userId: number, otherId: number): boolean {
    return this.of(userId).mutes.has(otherId);
  }

  /** Whether the user had muted the other one when the message of this ID was sent. */
  wasMutingAt(userId: number, otherId: number, messageId: number): boolean {
    const spans = this.#entries.get(userId)?.muteSpans.get(otherId);
    return spans !== undefined && coversMessage(spans, messageId);
  }

  /** Last message ID during which the user had muted the other one: unlimited while the mute lasts, 0 if never. */
  mutedThrough(userId: number, otherId: number): number {
    const span = this.#entries.get(userId)?.muteSpans.get(otherId)?.at(-1);
    return span === undefined ? 0 : (span.untilId ?? Number.MAX_SAFE_INTEGER);
  }

  /** All users with an alert word in the text, whether or not they receive it. */
  usersAlertedBy(text: string): ReadonlySet<number> {
    return this.#alertWords.usersAlertedBy(text);
  }

  snapshot(): readonly PreferencesRecord[] {
    return Array.from(this.#entries, ([userId, { preferences, muteSpans }]) => ({
      userId,
      settings: [...preferences.settings],
      alertWords: [...preferences.alertWords.values()],
      mutes: [...preferences.mutes],
      topics: [...preferences.topics.values()],
      ...(preferences.onboardingSteps.length === 0 ? undefined : { onboardingSteps: preferences.onboardingSteps }),
      muteSpans: [...muteSpans],
    }));
  }

  /** Fills an empty book. */
  restore(records: readonly PreferencesRecord[] = []): void {
    for (const record of records) {
      const { preferences, muteSpans } = this.#entry(record.userId);
      if (record.onboardingSteps !== undefined) preferences.onboardingSteps = record.onboardingSteps;
      for (const [name, value] of record.settings) preferences.settings.set(name, currentValue(name, value));
      for (const word of record.alertWords) {
        preferences.alertWords.set(word.toLowerCase(), word);
        this.#alertWords.add(record.userId, word.toLowerCase());
      }
      for (const [mutedUserId, since] of record.mutes) preferences.mutes.set(mutedUserId, since);
      for (const topic of record.topics)
        preferences.topics.set(topicPreferenceKey(topic.channelId, topic.topic), topic);
      for (const [mutedUserId, spans] of record.muteSpans) muteSpans.set(mutedUserId, spans);
    }
  }

  #entry(userId: number): Entry {
    let entry = this.#entries.get(userId);
    if (entry === undefined) {
      entry = { preferences: noPreferences(), muteSpans: new Map() };
      this.#entries.set(userId, entry);
    }
    return entry;
  }

  #index(event: PreferencesEvent): void {
    if (event.type === 'alert-words.added.v1') {
      for (const word of event.data.words) this.#alertWords.add(event.data.userId, word.toLowerCase());
    } else if (event.type === 'alert-words.removed.v1') {
      for (const word of event.data.words) this.#alertWords.remove(event.data.userId, word.toLowerCase());
    }
  }
}

const NONE: ReadonlyPreferences = noPreferences();
