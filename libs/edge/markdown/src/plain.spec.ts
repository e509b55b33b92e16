import fc from 'fast-check';
import { rounds, sized } from '#testing';
import { isPlain, plainHtml, render } from './index.js';
import { renderInFull } from './render.js';
import { world } from './world.fixture.js';

const FRAGMENTS = [
  ...Array.from('abcXYZ019 .,:;?!\'"()/-+=_%\n'),
  ...['é', 'ß', 'Ж', '漢', '한', 'あ', '’', '–', '…', '\u00a0', '\u3000', '\u2028', '😀', '©', '①'],
  ...[
    '. ',
    ': ',
    '.\n',
    '1. ',
    '2) ',
    '- ',
    ' \n',
    '\n\n',
    'www.',
    '.com',
    'http:',
    '//',
    'D:',
    ':)',
    '/me ',
    '---',
    '===',
    '\n1',
    '\n  ',
  ],
  ...['*', '_', '`', '#', '@', '&', '<', '>', '|', '~', '$', '[', ']', '{', '}', '\\', '^', '\t', '\r'],
];

const text = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((parts) => parts.join(''));
/** Mostly plain, so that the property is tested often. */
const plainer = fc.array(fc.constantFrom(...FRAGMENTS.slice(0, 40)), { maxLength: 40 }).map((parts) => parts.join(''));

test('for all text that is plain, the shortcut and the parser agree', () => {
  let plain = 0;
  fc.assert(
    fc.property(fc.oneof(text, plainer, fc.string({ unit: 'binary' })), (content) => {
      if (!isPlain(content)) return;
      plain++;
      const full = renderInFull(content, world);
      expect(plainHtml(content)).toBe(full.html);
      expect({ ...full, plain: true, textForAlertWords: content }).toEqual(render(content, world));
      expect(full.textForAlertWords.trimEnd()).toBe(content);
    }),
    { numRuns: rounds(sized({ nightly: 5_000, usual: 2_000 })) },
  );
  expect(plain).toBeGreaterThan(sized({ nightly: 500, usual: 200 }));
});

test.each([
  'Hello',
  'Two lines,\nof words: really.',
  'It costs 5 - or 6 - and 7%',
  '/me waves',
  '10 apples',
  'schön, 漢字 и ещё',
  'a_b',
  'see #5',
])('%j is plain', (content) => {
  expect(isPlain(content)).toBe(true);
  expect(render(content, world).plain).toBe(true);
});

test.each([
  '',
  ' a',
  'a ',
  'a\n\nb',
  '1. a',
  '12) a',
  '- a',
  'example.com',
  ':smile:',
  '*a*',
  'a@b.c',
  '---',
  'x:y',
  '😀',
  'a \nb',
  'a\n',
  '\na',
])('%j is not', (content) => {
  expect(isPlain(content)).toBe(false);
});
