import { hiddenCharacterIn, nameKey, normalizedName, uniqueNameKey } from './name-text.js';

test('a name is kept composed, with plain spaces, trimmed', () => {
  expect(normalizedName('\u3000Cafe\u0301\u00a0noir\u2003')).toBe('Caf\u00e9 noir');
});

test.each([
  ['a zero-width space', 'gen\u200beral', 3],
  ['a joiner between letters', 'a\u200db', 1],
  ['a non-joiner', 'a\u200cb', 1],
  ['a word joiner', 'ab\u2060', 2],
  ['a byte order mark', 'a\ufeffb', 1],
  ['a soft hyphen', 'ge\u00adneral', 2],
  ['an override of direction', '\u202egeneral', 0],
  ['an isolate of direction', 'a\u2066b\u2069', 1],
  ['a mark of direction', 'a\u200f', 1],
  ['a letter mark of direction', 'a\u061c', 1],
  ['a control', 'a\u0007', 1],
  ['a line separator', 'a\u2028b', 1],
  ['a filler', 'a\u3164b', 1],
  ['a blank that is no space', 'a\u2800b', 1],
  ['a variation selector without a picture', 'a\ufe0f', 1],
  ['a tag', 'a\u{e0041}', 1],
  ['a lone surrogate', 'a\ud800', 1],
  ['a private code point', 'a\ue000', 1],
  ['a code point without a meaning', 'a\u0378', 1],
  ['a joiner after a picture', '\u{1f600}\u200d', 1],
  ['something behind a picture of several code points', '\u2764\ufe0f\u200b', 2],
])('%s is found', (_what, name, at) => {
  expect(hiddenCharacterIn(name)).toBe(at);
});

test.each([
  'Ann Archer',
  'Łukasz',
  '山田 太郎',
  'نور',
  'हिन्दी',
  '\u2764\ufe0f',
  '\u{1f3f3}\ufe0f\u200d\u{1f308}',
  '1\ufe0f\u20e3',
  '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}',
])('%s has nothing hidden', (name) => {
  expect(hiddenCharacterIn(name)).toBe(-1);
});

test.each([
  ['case', 'General', 'gENERAL'],
  ['composition', 'Caf\u00e9', 'CAFE\u0301'],
  ['kinds of space', 'dev team', 'dev\u00a0team'],
  ['what is not drawn', 'general', 'gen\u200beral'],
])('names are told apart without regard to %s', (_what, one, other) => {
  expect(nameKey(one)).toBe(nameKey(other));
});

test.each([
  ['full case', 'Straße', 'STRASSE'],
  ['final letters', 'Οδυσσεύς', 'ΟΔΥΣΣΕΎΣ'],
  ['ligatures', 'Stefﬁ', 'Steffi'],
  ['width', 'Ａｎｎ Ａｒｃｈｅｒ', 'ann archer'],
])('names that have to be unique are compared without regard to %s', (_what, one, other) => {
  expect(uniqueNameKey(one)).toBe(uniqueNameKey(other));
});

test('names that look different are different', () => {
  expect(new Set(['cafe', 'caf\u00e9', 'café au lait'].map(nameKey)).size).toBe(3);
});
