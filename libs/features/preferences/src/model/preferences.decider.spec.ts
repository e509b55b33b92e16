import { specFor } from '#testing';
import type { PreferencesCommand } from './preferences.commands.js';
import { ALERT_WORDS_MAX, preferencesDecider, TOPIC_PREFERENCES_MAX } from './preferences.decider.js';
import type { PreferencesEvent } from './preferences.events.js';
import type { TopicPolicy } from './preferences.js';

const given = specFor(preferencesDecider);
const at = 1_790_000_000;
const who = { userId: 7, at };

const muted: PreferencesEvent = { type: 'mute.added.v1', data: { ...who, mutedUserId: 8, entails: 'reads' } };
const unmuted: PreferencesEvent = { type: 'mute.removed.v1', data: { ...who, mutedUserId: 8 } };
const words = (...list: string[]): PreferencesEvent => ({
  type: 'alert-words.added.v1',
  data: { ...who, words: list },
});
const policy = (value: TopicPolicy, topic = 'Lunch'): PreferencesEvent => ({
  type: 'topic-policy.set.v1',
  data: { ...who, channelId: 3, topic, policy: value },
});
const mute: PreferencesCommand = { type: 'mute-user', ...who, mutedUserId: 8 };
const unmute: PreferencesCommand = { type: 'unmute-user', ...who, mutedUserId: 8 };
const set = (value: TopicPolicy, topic = 'lunch'): PreferencesCommand => ({
  type: 'set-topic-policy',
  ...who,
  channelId: 3,
  topic,
  policy: value,
});
const raise = (value: 2 | 3, because: 'participation' | 'mention' = 'participation'): PreferencesCommand => ({
  type: 'raise-topic-policy',
  ...who,
  channelId: 3,
  topic: 'lunch',
  policy: value,
  because,
});

describe('muting users', () => {
  test('mutes', () => given().when(mute).then(muted));
  test('twice is refused', () => void given(muted).when(mute).thenRefused('BAD_REQUEST'));
  test('oneself is refused', () =>
    void given()
      .when({ ...mute, mutedUserId: 7 })
      .thenRefused('BAD_REQUEST'));
  test('unmutes', () => given(muted).when(unmute).then(unmuted));
  test('unmuting who is not muted is refused', () =>
    void given(muted, unmuted).when(unmute).thenRefused('BAD_REQUEST'));
});

describe('alert words', () => {
  const add = (...list: string[]): PreferencesCommand => ({ type: 'add-alert-words', ...who, words: list });
  const remove = (...list: string[]): PreferencesCommand => ({ type: 'remove-alert-words', ...who, words: list });

  test('are trimmed, blank ones dropped, and compared ignoring case', () =>
    given(words('Alarm'))
      .when(add(' Fire ', '', '  ', 'FIRE', 'alarm'))
      .then(words('Fire')));
  test('that are there already change nothing', () => given(words('Alarm')).when(add('ALARM', ' ')).thenNothing());
  test('have a length', () =>
    void given()
      .when(add('🔥'.repeat(101)))
      .thenRefused('BAD_REQUEST'));
  test('of full length', () =>
    given()
      .when(add('🔥'.repeat(100)))
      .then(words('🔥'.repeat(100))));
  test('are not too many', () => {
    const all = Array.from({ length: ALERT_WORDS_MAX }, (_, n) => `word${n}`);
    given(words(...all.slice(1)))
      .when(add('word0', 'word1'))
      .then(words('word0'));
    given(words(...all))
      .when(add('one more'))
      .thenRefused('BAD_REQUEST');
  });
  test('are removed regardless of case; unknown ones are ignored', () =>
    given(words('Alarm', 'Fire'))
      .when(remove('ALARM', 'alarm', 'nope'))
      .then({ type: 'alert-words.removed.v1', data: { ...who, words: ['Alarm'] } }));
  test('removing what is not there', () => given().when(remove('nope')).thenNothing());
});

describe('topic policies', () => {
  test('are set', () => given().when(set(1)).then(policy(1, 'lunch')));
  test('keep the first spelling', () => given(policy(1)).when(set(3, 'LUNCH')).then(policy(3)));
  test('set to what they are change nothing', () => given(policy(1)).when(set(1)).thenNothing());
  test('that were never set cannot be ended', () => given().when(set(0)).thenNothing());
  test('are ended', () => given(policy(1)).when(set(0)).then(policy(0)));
  test('are not too many', () => {
    const all = Array.from({ length: TOPIC_PREFERENCES_MAX }, (_, n) => policy(1, `topic ${n}`));
    const spec = given(...all);
    spec.when(set(1)).thenRefused('BAD_REQUEST');
    spec.when(raise(3)).thenNothing();
    spec.when(set(2, 'topic 5')).then(policy(2, 'topic 5'));
  });

  const kept: [TopicPolicy, 2 | 3, 'participation' | 'mention'][] = [
    [3, 3, 'participation'],
    [3, 2, 'participation'],
    [2, 2, 'participation'],
    [1, 3, 'mention'],
    [3, 3, 'mention'],
  ];
  test.each(kept)('%i is not raised to %i by %s', (before, value, because) =>
    given(policy(before)).when(raise(value, because)).thenNothing(),
  );
  const raised: [TopicPolicy, 2 | 3, 'participation' | 'mention'][] = [
    [1, 2, 'participation'],
    [1, 3, 'participation'],
    [2, 3, 'participation'],
    [2, 3, 'mention'],
  ];
  test.each(raised)('%i is raised to %i by %s', (before, value, because) =>
    given(policy(before)).when(raise(value, because)).then(policy(value)),
  );
});

describe('settings', () => {
  test('only what changes is recorded', () =>
    given({ type: 'user-settings.changed.v1', data: { ...who, settings: { enter_sends: true } } })
      .when({
        type: 'change-settings',
        ...who,
        settings: { enter_sends: true, fluid_layout_width: false, starred_message_counts: false },
      })
      .then({ type: 'user-settings.changed.v1', data: { ...who, settings: { starred_message_counts: false } } }));
  test.each([false, true])('synchronization of drafts, turned to %s, erases drafts', (now) => {
    const before = {
      type: 'user-settings.changed.v1',
      data: { ...who, settings: { enable_drafts_synchronization: !now } },
    } as const;
    const settings = { enable_drafts_synchronization: now };
    given(before)
      .when({ type: 'change-settings', ...who, settings })
      .then({ type: 'user-settings.changed.v1', data: { ...who, settings, entails: 'erased-drafts' } });
  });
  test('the same again', () =>
    given()
      .when({ type: 'change-settings', ...who, settings: { enter_sends: false } })
      .thenNothing());
});
