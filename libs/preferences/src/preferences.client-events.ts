import { Injectable } from '@nestjs/common';
import type { Recorded } from '#event-store';
import { ClientEvents, type ClientEvent, type FeedEntry, type Presentable, type Recipient } from '#feed';
import { unreachable, type JsonObject } from '#kernel';
import { allowsEmptyTopic } from '#messages';
import {
  Directory,
  LEGACY_DISPLAY_SETTINGS,
  LEGACY_NOTIFICATION_SETTINGS,
  preferencesEventTypes,
  type PreferencesEvent,
  type UserSettingValue,
} from '#organization';
import { languageName } from './languages.js';
import {
  wireAlertWords,
  wireMutedTopics,
  wireMutedUsers,
  wireUserTopic,
  type TopicOptions,
} from './wire-preferences.js';

/** Settings that older clients know by another name. */
const LEGACY_NAMES: Readonly<Record<string, string>> = { web_home_view: 'default_view' };
const DISPLAY_SETTINGS: ReadonlySet<string> = new Set([...LEGACY_DISPLAY_SETTINGS, 'web_home_view']);
const NOTIFICATION_SETTINGS: ReadonlySet<string> = new Set(LEGACY_NOTIFICATION_SETTINGS);

interface SettingChange {
  readonly property: string;
  readonly value: UserSettingValue;
}

type TopicPolicySet = Extract<PreferencesEvent, { type: 'topic-policy.set.v1' }>;

/** What a user's clients are told of the user's preferences (events.md §3). Lists are told whole, as they are now. */
@Injectable()
export class PreferencesClientEvents extends ClientEvents {
  override readonly facts: ReadonlySet<string> = new Set(preferencesEventTypes.map(({ name }) => name));
  override readonly types: ReadonlySet<string> = new Set([
    'alert_words',
    'muted_topics',
    'muted_users',
    'update_display_settings',
    'update_global_notifications',
    'user_settings',
    'user_topic',
  ]);

  constructor(private readonly directory: Directory) {
    super();
  }

  override derive(recorded: Recorded): readonly FeedEntry[] {
    const fact = { type: recorded.type, data: recorded.data as unknown } as PreferencesEvent;
    const entry = (type: string, body: JsonObject = {}): FeedEntry => {
      return { type, audience: { to: 'users', ids: [fact.data.userId] }, body };
    };
    switch (fact.type) {
      case 'mute.added.v1':
      case 'mute.removed.v1':
        return [entry('muted_users')];
      case 'alert-words.added.v1':
      case 'alert-words.removed.v1':
        return [entry('alert_words')];
      case 'topic-policy.set.v1':
        return [entry('user_topic', fact.data), entry('muted_topics')];
      case 'user-settings.changed.v1':
        return Object.entries(fact.data.settings).flatMap(([property, value]) => {
          const body = { property, value };
          return [
            entry('user_settings', body),
            ...(DISPLAY_SETTINGS.has(property) ? [entry('update_display_settings', body)] : []),
            ...(NOTIFICATION_SETTINGS.has(property) ? [entry('update_global_notifications', body)] : []),
          ];
        });
      default:
        return unreachable(fact);
    }
  }

  override present({ entry: { type, body } }: Presentable, recipient: Recipient): readonly ClientEvent[] {
    const { user, settings } = recipient;
    const { directory } = this;
    switch (type) {
      case 'muted_users':
        return [{ type, muted_users: wireMutedUsers(directory, user) }];
      case 'alert_words':
        return [{ type, alert_words: wireAlertWords(directory, user) }];
      case 'user_topic':
        return [{ type, ...userTopic(body as unknown as TopicPolicySet['data'], optionsOf(recipient)) }];
      case 'muted_topics':
        // Its successor says it all, to those who asked for that by name.
        if (settings.eventTypes?.includes('user_topic') === true) return [];
        return [{ type, muted_topics: wireMutedTopics(directory, user, optionsOf(recipient)) }];
      case 'user_settings':
        return [{ type, op: 'update', ...body, ...language(body as unknown as SettingChange) }];
      default:
        if (settings.capabilities.includes('user_settings_object')) return [];
        return [legacySetting(type, user.email, body as unknown as SettingChange)];
    }
  }
}

function userTopic({ channelId, topic, policy, at }: TopicPolicySet['data'], options: TopicOptions) {
  return wireUserTopic({ channelId, topic, policy, updatedAt: at }, options);
}

function legacySetting(type: string, email: string, change: SettingChange): ClientEvent {
  const { property, value } = change;
  const name = LEGACY_NAMES[property] ?? property;
  return type === 'update_display_settings'
    ? { type, user: email, setting_name: name, setting: value, ...language(change) }
    : { type, user: email, notification_name: name, setting: value };
}

function language({ property, value }: SettingChange): { language_name?: string } {
  const name = property === 'default_language' ? languageName(String(value)) : undefined;
  return name === undefined ? {} : { language_name: name };
}

function optionsOf({ settings }: Recipient): TopicOptions {
  return { allowEmptyTopicName: allowsEmptyTopic(settings) };
}
