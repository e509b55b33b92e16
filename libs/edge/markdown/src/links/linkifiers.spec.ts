import fc from 'fast-check';
import { rounds, sized } from '#testing';
import { type Linkifier, linkifierProblem, render, topicLinks } from '../index.js';
import { linkifyMatches } from './linkifiers.js';
import { PatternProgram, StepBudget } from './pattern-program.js';
import { renderInFull } from '../render.js';
import { LINKIFIER_STEPS_LIMIT } from '../rendering.js';
import { expandTemplate } from './url-template.js';
import { world } from '../world.fixture.js';

const ANYWHERE = { mayBegin: () => true, mayEnd: () => true };

/** Every match of a pattern, as `String.prototype.match` with the flag g gives them, without the empty ones. */
function matches(pattern: string, text: string, budget = new StepBudget(Infinity)): string[] {
  const program = new PatternProgram(pattern);
  const chars = Array.from(text);
  const found: string[] = [];
  for (let from = 0; ;) {
    const match = program.find(chars, from, ANYWHERE, budget);
    if (match === undefined) return found;
    found.push(chars.slice(match.start, match.end).join(''));
    from = match.end;
  }
}

const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '\\w', '\\d', '1', '\\b');
const { pattern } = fc.letrec<{ pattern: string; sequence: string; piece: string }>((tie) => ({
  pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((branches) => branches.join('|')),
  sequence: fc.array(tie('piece'), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    atom,
    fc
      .tuple(
        atom.filter((source) => source !== '\\b'),
        fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '*?', '+?', '??'),
      )
      .map((parts) => parts.join('')),
    tie('pattern').map((inner) => `(${inner})`),
  ),
}));

test('patterns find what the regular expressions of JavaScript find', () => {
  fc.assert(
    fc.property(pattern, fc.string({ unit: fc.constantFrom('a', 'b', '1', ' '), maxLength: 12 }), (source, text) => {
      const expected = [...text.matchAll(new RegExp(source, 'g'))].map(([match]) => match);
      // After an empty match, which a linkifier never takes, the two go on differently.
      fc.pre(!expected.includes(''));
      expect(matches(source, text)).toEqual(expected);
    }),
    { numRuns: rounds(2_000) },
  );
});

test.each([
  ['(?i)abc', 'xABCabc', ['ABC', 'abc']],
  ['[[:digit:]]+', 'a12b3', ['12', '3']],
  ['[\\w.\\-/]+', 'a.b-c/d e', ['a.b-c/d', 'e']],
  ['😀+', 'a😀😀b', ['😀😀']],
  ['a{2,}', 'aaaaa', ['aaaaa']],
  ['x{', 'x{', ['x{']],
])('%s in %s', (source, text, expected) => {
  expect(matches(source, text)).toEqual(expected);
});

/** What takes other engines time exponential or quadratic in the text: patterns, and what to repeat. */
const SLOW_ELSEWHERE = [
  ['(?:a+)+b', 'a'],
  ['(?:a+)+(?:a*)*b', 'a'],
  ['(?:a|a|a)*b', 'a'],
  ['(?:a?){50}a{50}b', 'a'],
  ['(?:(?:(?:a*)*)*)*$', 'a!'],
  ['.*.*.*=.*', 'x'],
  ['a.*b|a', 'a '],
  ['[a-z ]+#', 'a b '],
  ['(?P<x>(?:a.?)+)(?P<y>(?:.?a)+)z', 'ab'],
] as const;

/** How many steps all matches of a pattern in a text take. They are counted, so machines and their moods do not matter. */
function stepsFor(pattern: string, text: string): number {
  const budget = new StepBudget(Number.MAX_SAFE_INTEGER);
  matches(pattern, text, budget);
  return Number.MAX_SAFE_INTEGER - budget.left;
}

/** The same of all patterns while `work` runs. */
function stepsIn(work: () => void): number {
  let steps = 0;
  const { find } = PatternProgram.prototype;
  PatternProgram.prototype.find = function (this: PatternProgram, text, from, boundaries, budget) {
    const before = budget.left;
    const match = find.call(this, text, from, boundaries, budget);
    steps += before - budget.left;
    return match;
  };
  try {
    work();
  } finally {
    PatternProgram.prototype.find = find;
  }
  return steps;
}

function expectLinear(source: string, pump: string): void {
  const [once = 0, twice = 0, fourTimes = 0] = [1, 2, 4].map((times) =>
    stepsFor(source, pump.repeat(Math.ceil((times * 2_000) / pump.length))),
  );
  expect(once).toBeGreaterThan(0);
  expect(twice / once).toBeLessThan(2.5);
  expect(fourTimes / once).toBeLessThan(5);
}

test.each(SLOW_ELSEWHERE)('%s on %j × n takes steps in proportion to n', expectLinear);

test('so does every other pattern', () => {
  const pump = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' '), minLength: 1, maxLength: 4 });
  fc.assert(fc.property(pattern, pump, expectLinear), { numRuns: rounds(sized({ nightly: 60, usual: 20 })) });
});

describe('beyond the budget', () => {
  const linkifiers = Array.from({ length: 100 }, (_, n): Linkifier => ({
    pattern: `(?:[ab ]+)+(?:[ab ]*)*${n}`,
    urlTemplate: 'https://e.example/',
  }));
  const text = 'ab '.repeat(3_300);

  test('nothing more is looked for', () => {
    for (const steps of [0, 1_000, 100_000]) {
      const budget = new StepBudget(steps);
      expect(
        linkifyMatches(`x1 ${text}`, [{ pattern: 'x1', urlTemplate: '/' }, ...linkifiers], 200, budget),
      ).toHaveLength(steps === 0 ? 0 : 1);
      expect(budget.isSpent).toBe(true);
      // The work at the current place of the text is finished first.
      expect(budget.left).toBeGreaterThan(-1_000);
    }
  });

  test('long addresses count', () => {
    const budget = new StepBudget(10_000);
    const long = { pattern: '(?P<x>a+)', urlTemplate: `https://e.example/${'{x}'.repeat(300)}` };
    linkifyMatches('a '.repeat(1_000), [long], 200, budget);
    expect(budget.isSpent).toBe(true);
  });

  test('a message is as it was written, and soon done', () => {
    const steps = stepsIn(() => {
      expect(render(text.trim(), { ...world, linkifiers })).toMatchObject({
        html: `<p>${text.trim()}</p>`,
        hasLink: false,
      });
    });
    // What is plain is looked at once more by the parser. The work at the current place of the text is finished first.
    expect(steps).toBeGreaterThan(LINKIFIER_STEPS_LIMIT);
    expect(steps).toBeLessThan(2 * LINKIFIER_STEPS_LIMIT + 2_000);
  });

  test('a topic has the addresses that stand in it', () => {
    const links = [{ text: 'http://e.example/', url: 'http://e.example/' }];
    expect(topicLinks(`${text.slice(0, 40)} http://e.example/`, linkifiers)).toEqual(links);
  });
});

const AT_EDGES: readonly Linkifier[] = ['^a1', 'b2$', '\\bc3', 'd4\\s', 'e5[^x]f'].map((source, n) => ({
  pattern: source,
  urlTemplate: `https://e.example/${n}`,
}));

test('plain content is only what no linkifier touches', () => {
  const unit = fc.constantFrom('a1', 'b2', 'c3', 'd4', 'e5', 'f', ' ', '\n', ', ', 'x');
  const seen = { plain: 0, linked: 0 };
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 12 }),
      fc.subarray([...AT_EDGES], { minLength: 1 }),
      (text, linkifiers) => {
        const organization = { ...world, linkifiers };
        const { html, plain, hasLink } = render(text.trim(), organization);
        if (plain) expect(html).toBe(renderInFull(text.trim(), organization).html);
        seen.plain += Number(plain);
        seen.linked += Number(hasLink);
      },
    ),
    { numRuns: rounds(2_000) },
  );
  expect(seen.plain).toBeGreaterThan(100);
  expect(seen.linked).toBeGreaterThan(100);
});

test.each([
  ['(', 'Missing )'],
  [')', 'Unmatched )'],
  ['[a', 'Missing ]'],
  ['*', 'Nothing to repeat'],
  ['a**', 'Repetition of a repetition'],
  ['(?=a)', 'Unsupported group'],
  ['(a)\\1', 'Unsupported escape'],
  ['a{1000}', 'More than 100 repetitions'],
  ['(a{100}){100}', 'too large'],
  ['((((((){100}){100}){100}){100}){100}){100}', 'too large'],
  [`${'('.repeat(50)}a${')'.repeat(50)}`, 'nested too deep'],
  ['[z-a]', 'Bad character class'],
  ['a'.repeat(501), 'longer than'],
  ['(?P<x>a)(?P<x>b)', 'defined twice'],
  [Array.from({ length: 21 }, (_, n) => `(?P<g${n}>a)`).join(''), 'More than 20 named groups'],
])('%j is refused', (source, message) => {
  expect(linkifierProblem({ pattern: source, urlTemplate: 'https://e.example/' })).toContain(message);
});

test.each([
  ['#(?P<id>[0-9]+)', 'https://e.example/{id}', undefined],
  ['#(?<id>[0-9]+)', 'https://e.example/{?id}', undefined],
  ['#(?P<id>[0-9]+)', 'https://e.example/', "Group 'id' in linkifier pattern is not present in URL template."],
  ['#1', 'https://e.example/{id}', "Group 'id' in URL template is not present in linkifier pattern."],
  ['#1', 'https://e.example/{', 'Invalid URL template.'],
  ['#1', 'javascript:alert(1)', 'Invalid URL template.'],
  ['#1', 'https://e.example/%', 'Invalid URL template.'],
  ['#1', 'https://e.example/%20', undefined],
  ['#1', 'https://e.example/"', 'Invalid URL template.'],
  ['#1', 'https://e.example/\u0001', 'Invalid URL template.'],
  ['#1', 'https://e.example/<', 'Invalid URL template.'],
  ['(?P<fragment>.+)', 'https://e.example/{#fragment:5}', undefined],
  ['(?P<foo>.+)', 'https://e.example/{?foo*}', undefined],
  ['(?P<a>.)(?P<b>.)', 'https://e.example/{/a:1,b*}{?a,b:9999}{&a}{;b}', undefined],
  ['(?P<a>.)', 'https://e.example/{a:0}', 'Invalid URL template.'],
  ['(?P<a>.)', 'https://e.example/{a:10000}', 'Invalid URL template.'],
  ['(?P<a>.)', 'https://e.example/{a:2*}', 'Invalid URL template.'],
  ['(?P<a>.)', 'https://e.example/{!a}', 'Invalid URL template.'],
  ['(?P<a>.)', 'https://e.example/{??a}', 'Invalid URL template.'],
  ['(?P<a>.)', 'https://e.example/{a,}', 'Invalid URL template.'],
  ['(?P<a>.)', 'https://e.example/{a b}', 'Invalid URL template.'],
  ['(?P<a>.)', 'https://e.example/{x{a}', 'Invalid URL template.'],
  ['(?P<a>.)', 'https://e.example/{a}}', 'Invalid URL template.'],
  ['(?P<a>.)', 'https://e.example/{}{a}', 'Invalid URL template.'],
  ['(?P<a>.)', 'https://e.example/{/a*', 'Invalid URL template.'],
  ['#1', `/${'a'.repeat(999)}`, undefined],
  ['#1', `/${'a'.repeat(1_000)}`, 'URL template is longer than 1000 characters'],
])('%s → %s', (source, urlTemplate, problem) => {
  expect(linkifierProblem({ pattern: source, urlTemplate })).toBe(problem);
});

test('templates expand after RFC 6570', () => {
  const values = { x: 'a b/c', y: 'ü', empty: '' };
  expect(expandTemplate('{x}!{+x}!{x,y}!{/x,y}!{?x,empty}!{&y}!{#x}!{.y}!{;x,empty}!{none}{?none}', values)).toBe(
    'a%20b%2Fc!a%20b/c!a%20b%2Fc,%C3%BC!/a%20b%2Fc/%C3%BC!?x=a%20b%2Fc&empty=!&y=%C3%BC!#a%20b/c!.%C3%BC!;x=a%20b%2Fc;empty!',
  );
});

test.each([
  ['{x:3}!{+x:3}!{#x:30}', { x: 'a/b/c' }, 'a%2Fb!a/b!#a/b/c'],
  ['{?x*}{&y:1}', { x: 'one', y: 'two' }, '?x=one&y=t'],
  ['{/x:1,x}{.y*}{;y:2}', { x: 'ab', y: 'cde' }, '/a/ab.cde;y=cd'],
  ['{x:2}', { x: 'a🎉b' }, 'a%F0%9F%8E%89'],
  ['{+x}', { x: 'a"b<c>d\\e^f`g{h|i}j' }, 'a%22b%3Cc%3Ed%5Ce%5Ef%60g%7Bh%7Ci%7Dj'],
  ['{x}{+x}', { x: '\ud800' }, '%EF%BF%BD%EF%BF%BD'],
  ['{constructor}/{x}', { x: 'a' }, '/a'],
])('modifiers and odd values: %s', (template, values, expanded) => {
  expect(expandTemplate(template, values)).toBe(expanded);
});

test('links of a topic', () => {
  const linkifiers = [
    { pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://bugs.example.com/{id}' },
    { pattern: '(?P<repo>[a-z]+)#(?P<id>[0-9]+)', urlTemplate: 'https://code.example.com/{repo}/{id}' },
  ];
  expect(topicLinks('😀 server#12, #7 and https://e.example/x', linkifiers)).toEqual([
    { text: 'server#12', url: 'https://code.example.com/server/12' },
    { text: '#7', url: 'https://bugs.example.com/7' },
    { text: 'https://e.example/x', url: 'https://e.example/x' },
  ]);
  expect(topicLinks('a#b', linkifiers)).toEqual([]);
  expect(topicLinks('see b.example.com/x, http://c.example.com', linkifiers)).toEqual([
    { text: 'b.example.com/x', url: 'https://b.example.com/x' },
    { text: 'http://c.example.com', url: 'http://c.example.com' },
  ]);
  // The same topic, other linkifiers.
  expect(topicLinks('#7', linkifiers.slice(1))).toEqual([]);
  expect(topicLinks('#7', [{ pattern: '#7', urlTemplate: 'e.example/7' }])).toEqual([
    { text: '#7', url: 'http://e.example/7' },
  ]);
});
