import fc from 'fast-check';
import { costOf, rounds, sized } from '#testing';
import { depthOf, htmlProblem } from './html-checker.fixture.js';
import { FRAGMENTS, FRAMED_PUMPS, organization, PUMPS } from './hostile.fixture.js';
import { HIGHLIGHTERS } from './blocks/code-languages.js';
import { highlighterFor } from './blocks/highlighters.js';
import { normalizeContent, render, renderDescription, type RenderWorld, topicLinks } from './index.js';
import { isSafeUrl } from './links/links.js';
import { renderInFull } from './render.js';
import { HTML_BYTES_LIMIT } from './rendering.js';
import { world } from './world.fixture.js';

const ROUNDS = rounds(sized({ nightly: 4_000, usual: 60 }));
const LENGTH_LIMIT = 3_000;
/** Ten times the cost of the slowest known content of this length. Quadratic time costs more. */
const COST_LIMIT = 150;
const TIMES_LIMIT = 400;
const DEPTH_LIMIT = 60;

const fragment = fc.constantFrom(...FRAGMENTS, ...PUMPS);
const times = fc.integer({ min: 1, max: TIMES_LIMIT });
const piece = fc.oneof(
  { weight: 6, arbitrary: fragment },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  { weight: 2, arbitrary: fc.tuple(fragment, fragment, times).map(([a, b, count]) => (a + b).repeat(count)) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...PUMPS), times).map(([pump, count]) => pump.repeat(count)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...FRAMED_PUMPS), times)
      .map(([[before, pump, after], count]) => before + pump.repeat(count) + after),
  },
);
const content = fc
  .array(piece, { maxLength: 12 })
  .map((pieces) => normalizeContent(pieces.join('').slice(0, LENGTH_LIMIT)));
const upload = () => ({ contentType: 'image/png', width: 1, height: 2, thumbnailUrl: '/user_uploads/thumbnail/x' });
const worlds = fc.constantFrom<RenderWorld>(world, organization, { ...world, upload });

function mentionedIn(html: string): number[] {
  const found = html.matchAll(/<span class="user-mention" data-user-id="(\d+)">/g);
  return [...new Set(Array.from(found, ([, id]) => Number(id)))];
}

// As on a server that has run for a while: loaded modules must not change the cost of a message.
beforeAll(() => {
  for (const language of HIGHLIGHTERS) highlighterFor(language);
});

test('hostile content renders to harmless HTML, quickly, and always the same', () => {
  fc.assert(
    fc.property(content, worlds, (source, in_) => {
      expect(costOf(() => render(source, in_), COST_LIMIT)).toBeLessThan(COST_LIMIT);
      const rendered = render(source, in_);
      const { html, mentions, plain } = rendered;
      expect(htmlProblem(html)).toBeUndefined();
      expect(Buffer.byteLength(html)).toBeLessThanOrEqual(HTML_BYTES_LIMIT);
      if (!html.includes('katex')) expect(depthOf(html)).toBeLessThan(DEPTH_LIMIT);
      // The HTML shows exactly the notified users as mentioned.
      expect(mentionedIn(html).sort()).toEqual([...mentions.users].sort());
      expect(render(source, in_)).toEqual(rendered);
      if (plain) expect(renderInFull(source, in_).html).toBe(html);
      expect(htmlProblem(renderDescription(source, in_))).toBeUndefined();
    }),
    { numRuns: ROUNDS },
  );
});

test('hostile topics have harmless links', () => {
  fc.assert(
    fc.property(content, (source) => {
      const topic = source.slice(0, 60);
      let at = 0;
      for (const { text, url } of topicLinks(topic, organization.linkifiers ?? [])) {
        expect(isSafeUrl(url)).toBe(true);
        at = topic.indexOf(text, at);
        expect(at).toBeGreaterThanOrEqual(0);
        at += text.length;
      }
    }),
    { numRuns: ROUNDS },
  );
});
