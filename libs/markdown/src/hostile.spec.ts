import fc from 'fast-check';
import { htmlProblem } from './html-checker.fixture.js';
import { normalizeContent, render } from './index.js';
import { world } from './world.fixture.js';

const LENGTH = 10_000;
/** Generous: the point is that nothing takes time quadratic in its length, which would be many seconds. */
const TIME_LIMIT_MS = 1_500;

const FRAGMENTS = [
  ...[
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '</p>',
    '<a href="javascript:x">',
    '" onmouseover="x',
    "' onload='x",
    '&lt;',
    '&#60;',
  ],
  ...[
    'javascript:alert(1)',
    'JAVASCRIPT:',
    'data:text/html,x',
    'vbscript:x',
    'java\tscript:',
    '[x](',
    ')',
    '![x](',
    '<',
    '>',
    '"',
    "'",
    '&',
    '\\',
  ],
  ...[
    '**',
    '*',
    '***',
    '_',
    '~~',
    '`',
    '```',
    '````',
    '~~~',
    '$$',
    '$$x$$',
    '$$\\href{javascript:x}{y}$$',
    '$$<$$',
    '```math\n',
    '```quote\n',
    '```spoiler <b>\n',
  ],
  ...[
    '```js\n',
    '```"><script>\n',
    '\n',
    '\n\n',
    '> ',
    '- ',
    '1. ',
    '    ',
    '  - ',
    '# ',
    '---',
    '|a|b|\n|-|-:|\n|',
    '|',
  ],
  ...[
    '@**',
    '@**|15**',
    '@_**Full Name**',
    '@**all**',
    '@*group*',
    '#**',
    '#**<b>"x"**',
    '#**<b>"x">"><script>**',
    '#**announce>**',
    '@',
    '#',
  ],
  ...[
    '<time:',
    '<time:2024-01-01>',
    '<time:"><script>>',
    ':smile:',
    ':party_cat:',
    ':',
    '😀',
    '👩‍👩‍👧',
    '\ud83d',
    '\udc00',
    '\0',
    '\r',
    '\u2028',
  ],
  ...[
    'http://e.example/"><script>',
    'https://chat.example.com/',
    'https://chat.example.com//e',
    '/user_uploads/2/"x.png',
    '/user_uploads/2/x.png',
    'a@b.c',
  ],
  ...['BUG-1', ' ', 'word', '%', '%0', '{', '}', '(', ']', '[', '^', '!', '=', ':)', '<3'],
];
const organization = {
  ...world,
  translateEmoticons: true,
  linkifiers: [
    { pattern: 'BUG-(?P<id>[0-9]+)', urlTemplate: 'https://bugs.example.com/{id}' },
    { pattern: '(?P<all>[a-z(:].*)', urlTemplate: '{+all}' },
  ],
};

test('no input breaks out of the HTML', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 25 }), fc.boolean(), (parts, linkifying) => {
      const content = normalizeContent(parts.join(''));
      const { html } = render(content, linkifying ? organization : world);
      expect(htmlProblem(html)).toBeUndefined();
      expect(html.toLowerCase()).not.toContain('<script');
    }),
    { numRuns: 4_000 },
  );
});

test('nor does any string at all', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (content) => {
      expect(htmlProblem(render(content, organization).html)).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  '<p>',
  '<p></b></p>',
  '<script></script>',
  '<p onclick="x"></p>',
  '<a href="javascript:x"></a>',
  '<p>a > b</p>',
  '<p a<b></p>',
  '<p><em></p></em>',
])('the checker does find fault with %s', (html) => {
  expect(htmlProblem(html)).toBeDefined();
});

const BOMBS = [
  ...[
    '>',
    '> ',
    '>\n- ',
    '- ',
    '- a\n',
    '1. ',
    '* * ',
    '*',
    '**',
    '***',
    '*a **b ',
    '~~',
    '~~a',
    '[',
    '[[]',
    '](',
    '[a](',
    '[a](<',
    '[a](b "',
    '![',
    '![a](',
  ],
  ...[
    '`',
    '`a``b',
    '``` ',
    '~~~\n',
    '```quote\n',
    '```spoiler x\n',
    '```math\n',
    '$$',
    '$$x',
    '$$>',
    "'$$",
    '$$\\frac{',
    '\\',
    '&',
    '&amp',
    '<',
    '</',
    '<a',
    '<http:',
  ],
  ...[
    '<time:',
    '@**',
    '@_**a',
    '@*',
    '#**',
    '#**a>',
    ':',
    ':a',
    ':smile:',
    '|',
    '|a',
    'a|\n',
    '|-|-\n',
    '\n',
    '\n\n',
    '\t',
    '    a\n',
    '# ',
    '=',
    '-',
    '---\n',
  ],
  ...[
    'http://',
    'http://[',
    'http://a/(',
    'http://a.com/"',
    'http://a.com/{',
    'a.b',
    'a.com ',
    'x.',
    'xn--',
    'a@',
    '@a.bb',
    'mailto:',
    '//a.com',
  ],
  ...['😀', '👩‍👩‍', '\u200d', '🇺', '1️⃣', ' :)', 'BUG-', 'BUG-1 ', 'aaaa:', 'ł'],
];

test.each(BOMBS)(`ten thousand characters of %j take no time to speak of`, (fragment) => {
  const content = fragment.repeat(Math.ceil(LENGTH / fragment.length)).slice(0, LENGTH);
  for (const source of [content, `${'> '.repeat(30)}${content}`]) {
    const started = performance.now();
    const { html } = render(source, organization);
    expect(performance.now() - started).toBeLessThan(TIME_LIMIT_MS);
    expect(htmlProblem(html)).toBeUndefined();
  }
});

test('growing indentation, growing runs of backticks and the widest table', () => {
  let indented = '';
  for (let level = 0; indented.length < LENGTH; level++) indented += `${'  '.repeat(level)}- a\n`;
  let backticks = '';
  for (let length = 1; backticks.length < LENGTH; length++) backticks += `${'`'.repeat(length)} `;
  const table = `${'|a'.repeat(60)}\n${'|-'.repeat(60)}\n${'a\n'.repeat(4_800)}`;
  for (const source of [indented, backticks, table]) {
    const started = performance.now();
    render(source, world);
    expect(performance.now() - started).toBeLessThan(TIME_LIMIT_MS);
  }
});

const depthOf = (html: string): number => {
  let depth = 0;
  let deepest = 0;
  for (const [, slash, name] of html.matchAll(/<(\/?)([a-z0-9]+)/g)) {
    if (name === 'br') continue;
    depth += slash === '/' ? -1 : 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};

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
