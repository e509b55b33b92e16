import fc from 'fast-check';
import { linkifierProblem, topicLinks } from './index.js';
import { PatternProgram } from './pattern-program.js';
import { expandTemplate } from './url-template.js';

const ANYWHERE = { mayBegin: () => true, mayEnd: () => true };

/** Every match of a pattern, as `String.prototype.match` with the flag g gives them, without the empty ones. */
function matches(pattern: string, text: string): string[] {
  const program = new PatternProgram(pattern);
  const chars = Array.from(text);
  const found: string[] = [];
  for (let from = 0; ;) {
    const match = program.find(chars, from, ANYWHERE);
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
    { numRuns: 2_000 },
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

test('what makes other engines slow is matched in one pass', () => {
  const program = new PatternProgram('(?:a+)+(?:a*)*b');
  const text = Array.from('a'.repeat(10_000));
  const started = performance.now();
  expect(program.find(text, 0, { mayBegin: (before) => before === undefined, mayEnd: () => true })).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(1_500);
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
])('%s → %s', (source, urlTemplate, problem) => {
  expect(linkifierProblem({ pattern: source, urlTemplate })).toBe(problem);
});

test('templates expand after RFC 6570', () => {
  const values = { x: 'a b/c', y: 'ü', empty: '' };
  expect(expandTemplate('{x} {+x} {x,y} {/x,y} {?x,empty} {&y} {#x} {.y} {;x,empty} {none}{?none}', values)).toBe(
    'a%20b%2Fc a%20b/c a%20b%2Fc,%C3%BC /a%20b%2Fc/%C3%BC ?x=a%20b%2Fc&empty= &y=%C3%BC #a%20b/c .%C3%BC ;x=a%20b%2Fc;empty ',
  );
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
});
