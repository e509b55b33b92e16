import fc from 'fast-check';
import {
  channelLinkPath,
  directLinkPath,
  emojiByName,
  emojiNamesByCode,
  isMeMessage,
  normalizeContent,
  truncateContent,
} from './index.js';

test.each([
  ['\n\na\nb \t\n\n', 'a\nb'],
  ['  a', '  a'],
  ['a\r\nb\rc', 'a\nb\nc'],
  [' \n ', ''],
])('%j is normalized', (raw, expected) => {
  expect(normalizeContent(raw)).toBe(expected);
});

test('normalizing twice is normalizing once', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t', 'a', '\u00a0') }), (raw) => {
      expect(normalizeContent(normalizeContent(raw))).toBe(normalizeContent(raw));
    }),
  );
});

test('content is cut by code points, and says so', () => {
  expect(truncateContent('😀'.repeat(30), 30)).toBe('😀'.repeat(30));
  expect(truncateContent('😀'.repeat(31), 30)).toBe(`${'😀'.repeat(10)}\n[message truncated]`);
});

test('only /me with a blank is an action', () => {
  expect([isMeMessage('/me waves'), isMeMessage('/mean'), isMeMessage(' /me x')]).toEqual([true, false, false]);
});

test('emoji are found by all their names, and each code by its canonical one first', () => {
  expect(emojiNamesByCode['1f642']).toEqual(['smile', 'slightly_smiling_face', 'slight_smile']);
  expect(['smile', 'tada', '+1', 'thumbs_up', 'heart', 'no_such_emoji', 'constructor'].map(emojiByName)).toEqual([
    '1f642',
    '1f389',
    '1f44d',
    '1f44d',
    '2764',
    undefined,
    undefined,
  ]);
  const entries = Object.entries(emojiNamesByCode);
  expect(entries.length).toBeGreaterThan(1_800);
  for (const [code, names] of entries) {
    expect(code).toMatch(/^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/);
    expect(code.split('-')).not.toContain('fe0f');
    for (const name of names) expect(emojiByName(name)).toBe(code);
  }
});

test.each([
  [{}, '/#narrow/channel/9-core-team'],
  [{ topic: 'a.b (c)!' }, '/#narrow/channel/9-core-team/topic/a.2Eb.20.28c.29.21'],
  [{ topic: 'ü', withMessageId: 5 }, '/#narrow/channel/9-core-team/topic/.C3.BC/with/5'],
  [{ topic: '\ud800', nearMessageId: 5 }, '/#narrow/channel/9-core-team/topic/.EF.BF.BD/near/5'],
])('a link to %j', (target, expected) => {
  expect(channelLinkPath({ id: 9, name: 'core team' }, target)).toBe(expected);
});

test('links to direct messages', () => {
  expect(directLinkPath([12, 4])).toBe('/#narrow/dm/4,12-dm');
  expect(directLinkPath([12, 4, 9], 7)).toBe('/#narrow/dm/4,9,12-group/near/7');
});
