import fc from 'fast-check';
import { isPlain, plainHtml, render } from '#markdown';
import { wordsInHtml, wordsOf, wordsOfHtml } from '#messages';
import { expectProportional } from '#testing';
import { highlighted } from './highlight.js';
import { SearchQuery } from './search-query.js';

const world = {
  realmUrl: 'https://chat.test',
  emptyTopicName: 'general chat',
  userByName: () => undefined,
  userById: () => undefined,
  groupByName: () => undefined,
  channelByName: () => undefined,
} as never;

/** Plausible and malformed text. */
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        'run',
        'Running',
        '&',
        '<b>',
        '**',
        '`',
        '東京',
        'café',
        ' ',
        '\n',
        '&amp;',
        '"',
        'the',
        '$$x^2$$',
      ),
    )
    .map((parts) => parts.join('')),
);
const unmarked = (html: string): string => html.replaceAll(/<span class="highlight">(.*?)<\/span>/gs, '$1');

test('marking what was found changes nothing else', () => {
  fc.assert(
    fc.property(texts, texts, (content, asked) => {
      const { html } = render(content, world);
      const marked = highlighted(html, new SearchQuery(`${asked} ${content}`).marks);
      expect(unmarked(marked)).toBe(html);
      // Only text is marked, so the tags stay the same, in the same order.
      const tags = (from: string): string[] => from.match(/<[^>]*>/g) ?? [];
      expect(tags(unmarked(marked))).toEqual(tags(html));
    }),
  );
});

test('every word that is found is one that can be shown', () => {
  fc.assert(
    fc.property(texts, (content) => {
      const { html } = render(content, world);
      const shown = new Set(Array.from(wordsInHtml(html), ({ word }) => word).filter((word) => word !== ''));
      expect(wordsOfHtml(html)).toEqual(shown);
      if (isPlain(content)) expect(wordsOf(content)).toEqual(wordsOfHtml(plainHtml(content)));
    }),
  );
});

test('a text is found by itself, and not by more', () => {
  fc.assert(
    fc.property(texts, (content) => {
      const words = wordsOf(content);
      fc.pre(words.size > 0);
      const searched = { words: () => words, content, topic: '' };
      expect(new SearchQuery(content).matches(searched)).toBe(true);
      expect(new SearchQuery(`${content} elsewhere`).matches(searched)).toBe(words.has('elsewher'));
    }),
  );
});

test.each<[string, string[]]>([
  ['The running cats are planned', ['run', 'cat', 'plan']],
  ["Don't!", []],
  ['CAFÉ Straße İstanbul', ['cafe', 'straße', 'istanbul']],
  ['foo_bar-baz.qux 4711', ['foo', 'bar', 'baz', 'qux', '4711']],
  ['東京abc', ['東', '京', 'abc']],
  ['', []],
])('the words of %j', (text, expected) => expect([...wordsOf(text)]).toEqual(expected));

test('a word is not longer than it may be', () => {
  const long = 'x'.repeat(100_000);
  const [word] = wordsOf(long);
  expect(word?.length).toBeLessThanOrEqual(64);
  expect(new SearchQuery(long).words).toEqual(wordsOf(long));
});

test.each(['a', 'a ', '<', '&', '<annotation', 'y', '東', '"', '\u0301'])(
  '%j × n takes time in proportion to n',
  (unit) => {
    expectProportional((times) => {
      const text = unit.repeat(Math.ceil((times * 50_000) / unit.length));
      return () => {
        wordsOf(text);
        wordsOfHtml(text);
        expect(new SearchQuery(text).words.size).toBeLessThan(10);
      };
    });
  },
);
