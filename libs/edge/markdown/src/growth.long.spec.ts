import { LinkifyIt } from 'linkify-it';
import { expectProportional } from '#testing';
import { FRAMED_PUMPS, organization, PUMPS } from './hostile.fixture.js';
import { HIGHLIGHTERS } from './blocks/code-languages.js';
import { highlighterFor } from './blocks/highlighters.js';
import { sourceHtml } from './html.js';
import { normalizeContent, render, topicLinks } from './index.js';
import { URL_LENGTH_LIMIT } from './links/links.js';
import { HTML_BYTES_LIMIT } from './rendering.js';

const LENGTH = 2_500;
const FRAMES = [...PUMPS.map((pump) => ['', pump, ''] as const), ...FRAMED_PUMPS];

const pumped = (before: string, pump: string, after: string, length: number): string =>
  normalizeContent(before + pump.repeat(Math.ceil(length / pump.length)).slice(0, length) + after);

// As on a server that has run for a while: loaded modules must not change the cost of a message.
beforeAll(() => {
  for (const language of HIGHLIGHTERS) highlighterFor(language);
});

test.each(FRAMES)('%j + %j × n + %j takes time in proportion to n, and its HTML fits in a message', (...frame) => {
  const [before, pump, after] = frame;
  const sizes = new Map<number, { readonly html: number; readonly limit: number }>();
  const rendering = (length: number) => {
    const content = pumped(before, pump, after, length);
    const limit = Math.max(HTML_BYTES_LIMIT, Buffer.byteLength(sourceHtml(content)));
    return (): void => void sizes.set(length, { html: Buffer.byteLength(render(content, organization).html), limit });
  };
  expectProportional((times) => rendering(LENGTH * times));
  rendering(10)();
  expect([...sizes.keys()]).toEqual(expect.arrayContaining([10, LENGTH, 4 * LENGTH]));
  for (const { html, limit } of sizes.values()) expect(html).toBeLessThanOrEqual(limit);
});

/**
 * Characters that the library reads while `work` runs, in total and the maximum at once. When there is no address after
 * all it stops within the host, whose length it bounds: that counts as one.
 */
function shownToLibrary(work: () => void): { readonly total: number; readonly longest: number } {
  const pieces: number[] = [];
  const { match, matchAtStart } = LinkifyIt.prototype;
  LinkifyIt.prototype.match = function (this: LinkifyIt, text) {
    pieces.push(text.length);
    return match.call(this, text);
  };
  LinkifyIt.prototype.matchAtStart = function (this: LinkifyIt, text) {
    const found = matchAtStart.call(this, text);
    pieces.push(found === null ? 1 : found.raw.length);
    return found;
  };
  try {
    work();
  } finally {
    Object.assign(LinkifyIt.prototype, { match, matchAtStart });
  }
  return { total: pieces.reduce((sum, length) => sum + length, 0), longest: Math.max(0, ...pieces) };
}

const ADDRESSES = [
  'http://a/',
  'http://a.com/http://b.com/',
  '漢字http://a.com/',
  'https://a.b.c.d.e/',
  'a.com,',
  'a.com ',
  'a@b.com,',
  'http://[',
  '://',
  'http://a。',
];

test.each(ADDRESSES)('each character of %j × n is looked at a bounded number of times for links', (pump) => {
  const counts = [1, 2, 4].map((times) => {
    const content = pumped('', pump, '', LENGTH * times);
    const { total, longest } = shownToLibrary(() => render(content, organization));
    expect(longest).toBeLessThanOrEqual(URL_LENGTH_LIMIT + 1);
    return total / content.length;
  });
  for (const perCharacter of counts) expect(perCharacter).toBeLessThanOrEqual(2);
});

test('the counter does count', () => {
  expect(shownToLibrary(() => topicLinks('see a.com or http://b.com/ now', []))).toEqual({ total: 18, longest: 13 });
});
