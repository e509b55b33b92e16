import { badRequest, unreachable, type Decider } from '#kernel';
import type { PreferencesCommand } from './preferences.commands.js';
import type { PreferencesEvent } from './preferences.events.js';
import {
  evolvePreferences,
  noPreferences,
  ONBOARDING_STEPS,
  type Preferences,
  settingOf,
  TOPIC_POLICY,
  type TopicPolicy,
  topicPreferenceKey,
} from './preferences.js';

/** Code points (register.md §4). */
const ALERT_WORD_LENGTH_MAX = 100;
/** All users' alert words and topics are in memory. */
export const ALERT_WORDS_MAX = 500;
export const TOPIC_PREFERENCES_MAX = 10_000;

/** A user's own preferences (endpoints.md §7), in their `user-{id}` stream. */
export const preferencesDecider: Decider<Preferences, PreferencesCommand, PreferencesEvent> = {
  initial: noPreferences,
  decide,
  evolve: evolvePreferences,
  earlier: (state, { type, data }) => {
    if (type === 'topic-policy.set.v1') return { policy: policyIn(state, data.channelId, data.topic) };
    if (type !== 'user-settings.changed.v1') return undefined;
    const names = Object.keys(data.settings) as Parameters<typeof settingOf>[1][];
    return { settings: Object.fromEntries(names.map((name) => [name, settingOf(state, name)])) };
  },
};

/** @throws Refusal BAD_REQUEST */
function decide(state: Preferences, command: PreferencesCommand): readonly PreferencesEvent[] {
  const { userId, at } = command;
  switch (command.type) {
    case 'mute-user': {
      const { mutedUserId } = command;
      if (mutedUserId === userId) throw badRequest('Cannot mute self');
      if (state.mutes.has(mutedUserId)) throw badRequest('User already muted');
      return [{ type: 'mute.added.v1', data: { userId, mutedUserId, at, entails: 'reads' } }];
    }
    case 'unmute-user': {
      const { mutedUserId } = command;
      if (!state.mutes.has(mutedUserId)) throw badRequest('User is not muted');
      return [{ type: 'mute.removed.v1', data: { userId, mutedUserId, at } }];
    }
    case 'add-alert-words': {
      const words = newWords(state, command.words);
      if (state.alertWords.size + words.length > ALERT_WORDS_MAX)
        throw badRequest(`There are too many alert words (limit: ${ALERT_WORDS_MAX})`);
      return words.length === 0 ? [] : [{ type: 'alert-words.added.v1', data: { userId, words, at } }];
    }
    case 'remove-alert-words': {
      const keys = new Set(command.words.map((word) => word.trim().toLowerCase()));
      const words = [...keys].flatMap((key) => state.alertWords.get(key) ?? []);
      return words.length === 0 ? [] : [{ type: 'alert-words.removed.v1', data: { userId, words, at } }];
    }
    case 'set-topic-policy':
      return setPolicy(state, command, command.policy);
    case 'raise-topic-policy': {
      const { channelId, topic, policy, because } = command;
      const current = policyIn(state, channelId, topic);
      if (current >= policy || (because === 'mention' && current === TOPIC_POLICY.muted)) return [];
      if (current === TOPIC_POLICY.inherit && state.topics.size >= TOPIC_PREFERENCES_MAX) return [];
      return setPolicy(state, command, policy);
    }
    case 'complete-onboarding-step': {
      const { step } = command;
      if (!ONBOARDING_STEPS.some((name) => name === step)) throw badRequest(`Unknown onboarding_step: ${step}`);
      if (state.onboardingSteps.includes(step)) return [];
      return [{ type: 'onboarding-step.completed.v1', data: { userId, step, at } }];
    }
    case 'change-settings': {
      const changed = Object.entries(command.settings).filter(
        ([name, value]) => settingOf(state, name as keyof typeof command.settings) !== value,
      );
      if (changed.length === 0) return [];
      const settings = Object.fromEntries(changed);
      const entails = 'enable_drafts_synchronization' in settings ? ({ entails: 'erased-drafts' } as const) : undefined;
      return [{ type: 'user-settings.changed.v1', data: { userId, settings, at, ...entails } }];
    }
    default:
      return unreachable(command);
  }
}

function newWords(state: Preferences, asked: readonly string[]): string[] {
  const added = new Map<string, string>();
  for (const raw of asked) {
    const word = raw.trim();
    if (word === '') continue;
    if (Array.from(word).length > ALERT_WORD_LENGTH_MAX)
      throw badRequest(`alert_words: a word is too long (limit: ${ALERT_WORD_LENGTH_MAX} characters)`);
    const key = word.toLowerCase();
    if (!state.alertWords.has(key) && !added.has(key)) added.set(key, word);
  }
  return [...added.values()];
}

function policyIn({ topics }: Preferences, channelId: number, topic: string): TopicPolicy {
  return topics.get(topicPreferenceKey(channelId, topic))?.policy ?? TOPIC_POLICY.inherit;
}

function setPolicy(
  { topics }: Preferences,
  { userId, channelId, topic, at }: { userId: number; channelId: number; topic: string; at: number },
  policy: TopicPolicy,
): readonly PreferencesEvent[] {
  const known = topics.get(topicPreferenceKey(channelId, topic));
  if ((known?.policy ?? TOPIC_POLICY.inherit) === policy) return [];
  if (known === undefined && topics.size >= TOPIC_PREFERENCES_MAX)
    throw badRequest(`There are too many topics with settings of their own (limit: ${TOPIC_PREFERENCES_MAX})`);
  // A topic keeps its first spelling.
  return [{ type: 'topic-policy.set.v1', data: { userId, channelId, topic: known?.topic ?? topic, policy, at } }];
}
