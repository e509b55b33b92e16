import fc from 'fast-check';
import { rounds, sized } from '#testing';
import { depthOf, htmlProblem } from './html-checker.fixture.js';
import { FRAGMENTS, organization } from './hostile.fixture.js';
import { normalizeContent, render } from './index.js';
import { world } from './world.fixture.js';

test('no input breaks out of the HTML', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 25 }), fc.boolean(), (parts, linkifying) => {
      const { html } = render(normalizeContent(parts.join('')), linkifying ? organization : world);
      expect(htmlProblem(html)).toBeUndefined();
    }),
    { numRuns: rounds(sized({ nightly: 3_000, usual: 300 })) },
  );
});

test('nor does any string at all', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (content) => {
      expect(htmlProblem(render(content, organization).html)).toBeUndefined();
    }),
    { numRuns: rounds(sized({ nightly: 1_000, usual: 100 })) },
  );
});

test.each([
  ['<p>', 'never closed'],
  ['<p></b></p>', 'closes'],
  ['<script></script>', 'element script'],
  ['<iframe></iframe>', 'element iframe'],
  ['<p onclick="x"></p>', 'handler'],
  ['<a href="javascript:x"></a>', 'address'],
  ['<a href="&#106;avascript:x"></a>', 'address'],
  ['<a href="data:text/html,x"></a>', 'address'],
  ['<img src="vbscript:x">', 'address'],
  ['<a href="//e.example"></a>', 'address'],
  ['<p>a > b</p>', 'stray >'],
  ['<p a<b></p>', 'no tag'],
  ['<p><em></p></em>', 'closes'],
  ['<p id="x"></p>', 'attribute p.id'],
  ['<span style="background: url(x);"></span>', 'style'],
  ['<a href="/"><a href="/"></a></a>', 'a browser sees'],
  ['<p><div></div></p>', 'a browser sees'],
  ['<table><p></p></table>', 'a browser sees'],
  ['<math></math>', 'element math'],
])('the checker finds fault with %s', (html, problem) => {
  expect(htmlProblem(html)).toContain(problem);
});

test.each(['>', '- ', '```quote\n', '*a **b ', '~~a ', '[a **b '])(
  '%j nests only so deep, and its text survives',
  (fragment) => {
    const { html } = render(`${fragment.repeat(500)}words`, world);
    expect(depthOf(html)).toBeLessThan(60);
    expect(html).toContain('words');
  },
);

test.each([
  [`$$${'{'.repeat(400)}x${'}'.repeat(400)}$$`, 'tex-error'],
  [`\`\`\`console\n$ echo ${'${'.repeat(190)}\n\`\`\``, '</code>'],
])('what libraries write for %j is not deep either', (source, kept) => {
  const { html } = render(source, world);
  expect(depthOf(html)).toBeLessThan(30);
  expect(html).toContain(kept);
});

test('an ordinary continued fraction is typeset', () => {
  expect(render('$$\\frac{1}{1+\\frac{1}{1+\\frac{1}{x}}}$$', world).html).not.toContain('tex-error');
});

test('emphasis that is closed as often as it is opened is flattened', () => {
  const { html } = render(`${'*a **b '.repeat(300)}words${' b** a*'.repeat(300)}`, world);
  expect(depthOf(html)).toBeLessThan(20);
  expect(depthOf(html)).toBeGreaterThan(5);
  expect(htmlProblem(html)).toBeUndefined();
});
