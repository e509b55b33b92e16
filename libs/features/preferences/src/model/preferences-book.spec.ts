import fc from 'fast-check';
import { Directory } from '#people';
import { rounds } from '#testing';
import { AlertWordIndex } from './alert-word-index.js';
import { PreferencesBook } from './preferences-book.js';
import type { PreferencesEvent } from './preferences.events.js';
import { isTopicMuted } from './topic-visibility.js';
import { preferencesPart } from './preferences.part.js';

const ANN = 7;
const BEN = 8;
const at = 1_790_000_000;

const muted: PreferencesEvent = { type: 'mute.added.v1', data: { userId: ANN, mutedUserId: BEN, at } };
const unmuted: PreferencesEvent = { type: 'mute.removed.v1', data: { userId: ANN, mutedUserId: BEN, at } };
const words = (...list: string[]): PreferencesEvent => ({
  type: 'alert-words.added.v1',
  data: { userId: ANN, words: list, at },
});
const policy = (value: 0 | 1 | 2 | 3, topic: string): PreferencesEvent => ({
  type: 'topic-policy.set.v1',
  data: { userId: ANN, channelId: 3, topic, policy: value, at },
});

/** The book before and after a snapshot, which must be equal. */
function books(...facts: readonly (readonly [PreferencesEvent, number])[]): readonly [string, PreferencesBook][] {
  const book = new PreferencesBook();
  for (const [fact, lastMessageId] of facts) book.evolve(fact, lastMessageId);
  const restored = new PreferencesBook();
  restored.restore(JSON.parse(JSON.stringify(book.snapshot())));
  return [
    ['live', book],
    ['restored', restored],
  ];
}

test('the code of a language is in lower case, however a former release stored it', () => {
  const settings = { default_language: 'zh-Hans', emojiset: 'google' };
  const old = { userId: ANN, alertWords: [], mutes: [], topics: [], muteSpans: [] };
  const restored = new PreferencesBook();
  restored.restore([{ ...old, settings: Object.entries(settings) }]);
  expect(restored.settings(ANN)).toMatchObject({ default_language: 'zh-hans', emojiset: 'google' });
  for (const [name, book] of books([{ type: 'user-settings.changed.v1', data: { userId: ANN, settings, at } }, 1]))
    expect([name, book.setting(ANN, 'default_language')]).toEqual([name, 'zh-hans']);
});

test('a mute covers what was sent while it lasted', () => {
  for (const [name, book] of books([muted, 10], [unmuted, 12], [muted, 20])) {
    const covered = [10, 11, 12, 13, 20, 21, 99].filter((id) => book.wasMutingAt(ANN, BEN, id));
    expect([name, covered]).toEqual([name, [11, 12, 21, 99]]);
    expect(book.isMuting(ANN, BEN)).toBe(true);
    expect(book.isMuting(BEN, ANN)).toBe(false);
    expect([...book.of(ANN).mutes]).toEqual([[BEN, at]]);
  }
});

test.each([
  ['never muted', [], 0],
  ['muted', [[muted, 10]], Number.MAX_SAFE_INTEGER],
  [
    'muted once',
    [
      [muted, 10],
      [unmuted, 12],
    ],
    12,
  ],
  [
    'muted again',
    [
      [muted, 10],
      [unmuted, 12],
      [muted, 20],
    ],
    Number.MAX_SAFE_INTEGER,
  ],
] as const)('%s: through which message', (_, facts, through) => {
  for (const [name, book] of books(...facts)) expect([name, book.mutedThrough(ANN, BEN)]).toEqual([name, through]);
});

test('settings are the defaults but for what changed', () => {
  const changed: PreferencesEvent = {
    type: 'user-settings.changed.v1',
    data: { userId: ANN, settings: { enter_sends: true, emojiset: 'text' }, at },
  };
  for (const [, book] of books([changed, 0])) {
    expect(book.setting(ANN, 'emojiset')).toBe('text');
    expect(book.settings(ANN)).toMatchObject({ enter_sends: true, emojiset: 'text', color_scheme: 1 });
    expect(book.setting(BEN, 'enter_sends')).toBe(false);
  }
});

test('topics are found regardless of case', () => {
  for (const [, book] of books([policy(1, 'Lunch'), 0], [policy(3, 'tea'), 0], [policy(0, 'TEA'), 0])) {
    expect([book.topicPolicy(ANN, 3, 'LUNCH'), book.topicPolicy(ANN, 4, 'Lunch')]).toEqual([1, 0]);
    expect(book.topicPolicy(ANN, 3, 'tea')).toBe(0);
    expect([...book.inTopic(3, 'lunch')]).toEqual([
      { userId: ANN, channelId: 3, topic: 'Lunch', policy: 1, updatedAt: at },
    ]);
  }
});

test('what was said of a topic counts more than the channel', () => {
  const directory = new Directory([preferencesPart]);
  const muteOf = (topic: string) => isTopicMuted(directory, ANN, 3, topic);
  directory.restore({
    ...directory.snapshot(),
    subscriptions: [{ channelId: 3, userId: ANN, active: true, isMuted: true, spans: [] } as never],
  });
  directory.of(preferencesPart).evolve(policy(2, 'unmuted'), 0);
  directory.of(preferencesPart).evolve(policy(3, 'followed'), 0);
  expect([muteOf('any'), muteOf('unmuted'), muteOf('followed')]).toEqual([true, false, false]);
  directory.of(preferencesPart).evolve(policy(1, 'unmuted'), 0);
  expect(muteOf('Unmuted')).toBe(true);
});

describe('alert words', () => {
  test.each([
    ['fire', 'Fire!', true],
    ['fire', 'a bonfire', false],
    ['fire', 'fireworks', false],
    ['fire', '“fire”', true],
    ['fire', 'fire_alarm', false],
    ['out of office', 'I am Out Of Office.', true],
    ['out of office', 'out of offices', false],
    ['c++', 'I like C++, and C', true],
    ['c++', 'abc++', false],
    ['@here', 'x@here', false],
    ['@here', 'so @here', true],
    ['straße', 'in der STRASSE und der Straße', true],
    ['😀', 'x😀', false],
    ['😀', 'so 😀😀', true],
  ])('%s in %s: %s', (word, text, expected) => {
    for (const [, book] of books([words(word), 0])) expect(book.usersAlertedBy(text).has(ANN)).toBe(expected);
  });

  test('that were removed have no effect', () => {
    const removed: PreferencesEvent = { type: 'alert-words.removed.v1', data: { userId: ANN, words: ['fire'], at } };
    for (const [, book] of books([words('fire', 'flood'), 0], [removed, 0])) {
      expect(book.usersAlertedBy('fire').size).toBe(0);
      expect([...book.usersAlertedBy('a flood')]).toEqual([ANN]);
      expect([...book.of(ANN).alertWords.values()]).toEqual(['flood']);
    }
  });

  test('are found as by looking for each of them everywhere', () => {
    const character = fc.constantFrom('a', 'b', ' ', '+', 'é', '中', '😀', '_');
    const text = fc.string({ unit: character, maxLength: 12 });
    const word = text.map((raw) => raw.trim()).filter((trimmed) => trimmed !== '');
    const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(char);
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 6 }), text, (list, content) => {
        const index = new AlertWordIndex();
        list.forEach((each, userId) => {
          index.add(userId, each);
        });
        const characters = Array.from(content);
        const expected = list.flatMap((each, userId) => {
          const wanted = Array.from(each);
          const found = characters.some(
            (_, start) =>
              wanted.every((char, offset) => characters[start + offset] === char) &&
              !isWord(characters[start - 1]) &&
              !isWord(characters[start + wanted.length]),
          );
          return found ? [userId] : [];
        });
        expect([...index.usersAlertedBy(content)].sort()).toEqual(expected.sort());
      }),
      { numRuns: rounds(500) },
    );
  });
});
