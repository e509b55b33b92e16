import fc from 'fast-check';
import { htmlDiff } from './text-diff.js';

const deleted = (text: string): string => `<span class="highlight_text_deleted">${text}</span>`;
const inserted = (text: string): string => `<span class="highlight_text_inserted">${text}</span>`;

describe('the difference between two texts', () => {
  test.each([
    ['a b c', 'a x c', `a ${deleted('b')}${inserted('x')} c`],
    ['a', 'a b', `a${inserted(' b')}`],
    ['a a', 'a', `a${deleted(' a')}`],
    ['', '<b>', inserted('&lt;b&gt;')],
    ['a\nb', 'a\nb', 'a<br>b'],
    [
      'one two three four',
      '1 two three 4',
      `${deleted('one')}${inserted('1')} two three ${deleted('four')}${inserted('4')}`,
    ],
    ['swap these words', 'these swap words', `${deleted('swap ')}these${inserted(' swap')} words`],
  ])('of %j and %j', (before, after, html) => {
    expect(htmlDiff(before, after)).toBe(`<div><p>${html}</p></div>`);
  });

  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'word', ' ', '  ', '\n', '<', '"', '&amp;', '</span>'), { maxLength: 60 })
    .map((parts) => parts.join(''));
  const plain = (html: string): string =>
    html
      .replaceAll('<br>', '\n')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
  const without = (html: string, mark: string): string =>
    html.replaceAll(new RegExp(`<span class="highlight_text_${mark}">[^]*?</span>`, 'g'), '');

  test('gives each text back when what the other has is left out', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const html = htmlDiff(before, after);
        expect([plain(without(html, 'inserted')), plain(without(html, 'deleted'))]).toEqual([before, after]);
      }),
    );
  });

  test('marks nothing where nothing changed', () => {
    fc.assert(
      fc.property(text, (same) => {
        expect(htmlDiff(same, same)).not.toContain('highlight');
      }),
    );
  });
});
