import { Injectable } from '@nestjs/common';
import {
  ClientEvents,
  type Derivations,
  type FeedEntry,
  type ListOfThen,
  listOfThen,
  type Presentable,
  type Recipient,
  type WholeState,
} from '#feed';
import { allowsEmptyTopic } from '#messages';
import { Directory } from '#people';
import { apiEmail } from '#users/model';
import {
  type MutedTopic,
  mutedTopics,
  type MutedUser,
  type OnboardingStep,
  wireAlertWords,
  wireMutedTopics,
  wireMutedUsers,
  wireOnboardingSteps,
  wireUserTopic,
  type TopicOptions,
} from './wire-preferences.js';
import { languageName } from './model/languages.js';
import { currentValue } from './model/preferences.js';
import { legacySettings, type UserSettingValue } from './model/user-settings.js';
import type { PreferencesEvent } from './model/preferences.events.js';
import type { preferenceEventSchemas } from './preference-events.schema.js';
import type { WireEvent } from '#wire';

/** Names of the settings of older clients. */
const legacyNames = (kind: 'display' | 'notification'): ReadonlyMap<string, string> =>
  new Map(legacySettings(kind).map(({ name, legacyName }) => [name, legacyName]));
const DISPLAY_SETTINGS = legacyNames('display');
const NOTIFICATION_SETTINGS = legacyNames('notification');

type Told = WireEvent<typeof preferenceEventSchemas>;

interface SettingChange {
  readonly property: string;
  readonly value: UserSettingValue;
}

type TopicPolicySet = Extract<PreferencesEvent, { type: 'topic-policy.set.v1' }>;

/** Of muted topics, the topics; of the other lists, what clients are told. */
type Body = SettingChange | TopicPolicySet['data'] | ListOfThen<MutedUser | string | OnboardingStep | MutedTopic>;

/** Client events about a user's preferences (events.md §3). Lists are sent whole. */
@Injectable()
export class PreferencesClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<PreferencesEvent> = {
    'mute.added.v1': mutedUsersChanged,
    'mute.removed.v1': mutedUsersChanged,
    'alert-words.added.v1': alertWordsChanged,
    'alert-words.removed.v1': alertWordsChanged,
    'topic-policy.set.v1': ({ data }, directory) => [
      entryFor(data, 'user_topic', data),
      entryFor(data, 'muted_topics', listOfThen(mutedTopics(directory, data.userId))),
    ],
    'onboarding-step.completed.v1': ({ data }, directory) => [
      entryFor(data, 'onboarding_steps', listOfThen(wireOnboardingSteps(directory, data.userId))),
    ],
    'user-settings.changed.v1': ({ data }) =>
      Object.entries(data.settings).flatMap(([property, value]) => {
        const body = { property, value: currentValue(property, value) };
        return [
          entryFor(data, 'user_settings', body),
          ...(DISPLAY_SETTINGS.has(property) ? [entryFor(data, 'update_display_settings', body)] : []),
          ...(NOTIFICATION_SETTINGS.has(property) ? [entryFor(data, 'update_global_notifications', body)] : []),
        ];
      }),
  };
  override readonly types: ReadonlySet<string> = new Set([
    'alert_words',
    'muted_topics',
    'muted_users',
    'onboarding_steps',
    'update_display_settings',
    'update_global_notifications',
    'user_settings',
    'user_topic',
  ]);

  constructor(private readonly directory: Directory) {
    super();
  }

  override wholeState({ type, body }: FeedEntry<Body>): WholeState | undefined {
    return 'property' in body || 'policy' in body ? undefined : { name: type, told: 'last' };
  }

  override present({ entry: { type, body } }: Presentable<Body>, recipient: Recipient): readonly Told[] {
    const {
      user: { userId },
      settings,
    } = recipient;
    const { directory } = this;
    if ('property' in body) return settingChanged(type, body, recipient);
    if ('policy' in body) return [{ type: 'user_topic', ...userTopic(body, optionsOf(recipient)) }];
    switch (type) {
      case 'muted_users':
        return [{ type, muted_users: (body as ListOfThen<MutedUser>).state ?? wireMutedUsers(directory, userId) }];
      case 'onboarding_steps':
        return [
          {
            type,
            onboarding_steps: (body as ListOfThen<OnboardingStep>).state ?? wireOnboardingSteps(directory, userId),
          },
        ];
      case 'alert_words':
        return [{ type, alert_words: (body as ListOfThen<string>).state ?? wireAlertWords(directory, userId) }];
      default:
        // Its successor says everything, for clients that asked for that by name.
        if (settings.eventTypes?.includes('user_topic') === true) return [];
        return [
          {
            type: 'muted_topics',
            muted_topics: wireMutedTopics(
              directory,
              recipient.user,
              optionsOf(recipient),
              (body as ListOfThen<MutedTopic>).state,
            ),
          },
        ];
    }
  }
}

type OfUser = Pick<TopicPolicySet['data'], 'userId'>;

function mutedUsersChanged({ data }: { readonly data: OfUser }, directory: Directory): readonly FeedEntry<Body>[] {
  return [entryFor(data, 'muted_users', listOfThen(wireMutedUsers(directory, data.userId)))];
}

function alertWordsChanged({ data }: { readonly data: OfUser }, directory: Directory): readonly FeedEntry<Body>[] {
  return [entryFor(data, 'alert_words', listOfThen(wireAlertWords(directory, data.userId)))];
}

function settingChanged(type: string, change: SettingChange, { user, settings }: Recipient): readonly Told[] {
  if (type === 'user_settings') return [{ type, op: 'update', ...change, ...language(change) }];
  if (settings.capabilities.includes('user_settings_object')) return [];
  return [legacySetting(type, apiEmail(user), change)];
}

function entryFor({ userId }: OfUser, type: string, body: Body): FeedEntry<Body> {
  return { type, audience: { to: 'users', ids: [userId] }, body };
}

function userTopic({ channelId, topic, policy, at }: TopicPolicySet['data'], options: TopicOptions) {
  return wireUserTopic({ channelId, topic, policy, updatedAt: at }, options);
}

function legacySetting(type: string, email: string, change: SettingChange): Told {
  const { property, value } = change;
  const name = DISPLAY_SETTINGS.get(property) ?? property;
  return type === 'update_display_settings'
    ? { type, user: email, setting_name: name, setting: value, ...language(change) }
    : { type: 'update_global_notifications', user: email, notification_name: name, setting: value };
}

function language({ property, value }: SettingChange): { language_name?: string } {
  const name = property === 'default_language' ? languageName(String(value)) : undefined;
  return name === undefined ? {} : { language_name: name };
}

function optionsOf({ settings }: Recipient): TopicOptions {
  return {
    allowEmptyTopicName: allowsEmptyTopic(settings),
    knowsArchived: settings.capabilities.includes('archived_channels'),
  };
}
