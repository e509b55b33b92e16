/** The word diff of the chat page. */
import fc from 'fast-check';
import { type Part, wordDiff } from '../../web/chat/edit/word-diff.js';

const textOf = (parts: readonly Part[], without: Part['kind']): string =>
  parts.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join('');

test('words that changed are marked, and nothing else', () => {
  expect(wordDiff('at most one event', 'at most 128 events')).toEqual([
    { kind: 'same', text: 'at most ' },
    { kind: 'delete', text: 'one' },
    { kind: 'insert', text: '128' },
    { kind: 'same', text: ' ' },
    { kind: 'delete', text: 'event' },
    { kind: 'insert', text: 'events' },
  ]);
});

test('both texts can be read from the parts, whatever they are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', ' ', '\n', '🎉', '**', 'c'), { maxLength: 30 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = wordDiff(before, after);
      expect([textOf(parts, 'insert'), textOf(parts, 'delete')]).toEqual([before, after]);
    }),
  );
});

test('texts too long to compare are replaced as a whole', () => {
  const [before, after] = ['a '.repeat(2000), 'b '.repeat(2000)];
  const parts = wordDiff(before, after);
  expect([textOf(parts, 'insert'), textOf(parts, 'delete')]).toEqual([before, after]);
  expect(parts.length).toBeLessThan(5);
});
