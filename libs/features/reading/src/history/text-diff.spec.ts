import fc from 'fast-check';
import { expectProportional } from '#testing';
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
    ['one two three', 'uno dos tres', `${deleted('one two three')}${inserted('uno dos tres')}`],
    ['a\nb c\nd', 'a\nx\nb d\nd', `a<br>${inserted('x<br>')}b ${deleted('c')}${inserted('d')}<br>d`],
    ['a\nd', 'a\nb\nc\nd', `a<br>${inserted('b<br>c<br>')}d`],
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

  const words = (prefix: string, count: number): string =>
    Array.from({ length: count }, (_, n) => `${prefix}${n}`).join(' ');
  const alternating = (count: number): string =>
    Array.from({ length: count }, (_, n) => (n % 2 === 0 ? 'x' : `a${n}`)).join(' ');

  test.each<[name: string, make: (times: number) => [string, string]]>([
    ['nothing in common', (times) => [words('a', 400 * times), words('b', 400 * times)]],
    ['words of one letter', (times) => ['a '.repeat(1_250 * times), 'b\n'.repeat(1_250 * times)]],
    ['lines with nothing in common', (times) => ['a\n'.repeat(1_250 * times), 'b\n'.repeat(1_250 * times)]],
    ['every other word', (times) => [words('a', 400 * times), alternating(400 * times)]],
    ['two letters in turns', (times) => ['a b '.repeat(600 * times), 'b a a '.repeat(400 * times)]],
  ])('%s takes time in proportion to the texts', (_, make) => {
    expectProportional((times) => {
      const [before, after] = make(times);
      return () => htmlDiff(before, after);
    });
  });

  test('is no larger than both texts and a bounded number of marks', () => {
    const [before, after] = [words('a', 1_700), alternating(1_700)];
    expect(htmlDiff(before, after).length).toBeLessThan(before.length + after.length + 20_000);
  });

  test('a rewritten paragraph leaves small changes below it as they are', () => {
    expect(htmlDiff(`${words('a', 900)}\nsame\none two`, `${words('b', 900)}\nsame\none 2`)).toBe(
      `<div><p>${deleted(words('a', 900))}${inserted(words('b', 900))}<br>same<br>one ${deleted('two')}${inserted('2')}</p></div>`,
    );
  });
});
