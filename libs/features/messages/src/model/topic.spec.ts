import fc from 'fast-check';
import { assertTopicAllowed, isResolution, normalizeTopic, resolvesEmptyTopic } from './topic.js';

test.each([
  ['  lunch ', 'lunch'],
  ['', ''],
  ['   ', ''],
  ['(no topic)', ''],
  [' general chat ', ''],
  ['General Chat', 'General Chat'],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['x'.repeat(61), `${'x'.repeat(57)}...`],
  ['😀'.repeat(60), '😀'.repeat(60)],
  ['😀'.repeat(61), `${'😀'.repeat(57)}...`],
])('%j is stored as %j', (raw, stored) => {
  expect(normalizeTopic(raw)).toBe(stored);
});

test.each([
  ['a\nb', 2],
  ['  😀\u0000', 2],
  ['\uffff', 1],
])('%j is refused, and its place told', (raw, place) => {
  expect(() => normalizeTopic(raw)).toThrow(`position ${place}!`);
});

test('normalizing twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (raw) => {
      let once: string;
      try {
        once = normalizeTopic(raw);
      } catch {
        return;
      }
      expect(normalizeTopic(once)).toBe(once);
      expect(Array.from(once).length).toBeLessThanOrEqual(60);
    }),
  );
});

test.each([
  ['lunch', '✔ lunch', true],
  ['✔ lunch', 'lunch', true],
  ['✔ ✔✔ lunch', 'lunch', true],
  ['lunch', '✔ dinner', false],
  ['✔ lunch', 'dinner', false],
  ['lunch', '✔lunch', false],
  ['', '✔', false],
])('from %j to %j is a resolution: %s', (from, to, expected) => {
  expect(isResolution(from, to)).toBe(expected);
});

test('a long topic is resolved with its end cut off', () => {
  const long = 'x'.repeat(60);
  expect(isResolution(long, normalizeTopic(`✔ ${long}`))).toBe(true);
});

test('the empty topic cannot be resolved under any of its names', () => {
  expect(resolvesEmptyTopic('', normalizeTopic('✔ '))).toBe(true);
  expect(resolvesEmptyTopic('', normalizeTopic('✔ general chat'))).toBe(true);
  expect(resolvesEmptyTopic('lunch', '✔')).toBe(false);
});

test('policies', () => {
  const allows = (topic: string, policy: string) => () => assertTopicAllowed(topic, policy);
  expect(allows('', 'allow_empty_topic')).not.toThrow();
  expect(allows('', 'disable_empty_topic')).toThrow();
  expect(allows('', 'empty_topic_only')).not.toThrow();
  expect(allows('x', 'empty_topic_only')).toThrow();
});
