import { costOf, sized } from '#testing';
import { codeLanguage, HIGHLIGHTERS } from './code-languages.js';
import { highlighterFor } from './highlighters.js';
import { render } from '../index.js';
import { world } from '../world.fixture.js';

/** Modes of a grammar as compiled by the library, and of those for embedded languages. */
function subLanguagesOf(language: string, registeredIn: string): unknown[] {
  const found: unknown[] = [];
  const seen = new Set<unknown>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if ('subLanguage' in value && value.subLanguage !== undefined) found.push(value.subLanguage);
    for (const [key, inner] of Object.entries(value)) if (key !== 'keywords') walk(inner);
  };
  walk(highlighterFor(registeredIn).getLanguage(language));
  return found;
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  'python-repl': 'pycon',
  shell: 'console',
  dos: 'bat',
  x86asm: 'gas',
  wasm: 'wat',
};

/** Alias in a fence. */
function aliasOf(highlighter: string): string {
  const alias = OTHER_NAMES[highlighter] ?? highlighter;
  expect(codeLanguage(alias).highlighter).toBe(highlighter);
  return alias;
}

test.each(HIGHLIGHTERS)('%s guesses nothing, and pieces in it contain no others', (language) => {
  const highlighter = highlighterFor(language);
  highlighter.highlight('x', { language });
  const pieces = subLanguagesOf(language, language);
  for (const piece of pieces) {
    expect(typeof piece).toBe('string');
    expect(piece).not.toBe(language);
    expect(subLanguagesOf(String(piece), language)).toEqual([]);
  }
  expect(new Set(highlighter.listLanguages())).toEqual(new Set([language, ...pieces]));
});

test('pieces are coloured in the language that they are in for certain', () => {
  expect(render('```html\n<style>a { color: red }</style>\n```', world).html).toContain(
    '<span class="na">color</span>',
  );
});

/** Openings of what a grammar delegates, or whose end it searches, with blank lines between them. */
const PUMPS = [
  ...[
    'HTTP/1.1 200\n\n',
    '<script>x=<a>y\n\n',
    '<script>\n<style>\n',
    '{{x}}<b>\n\n',
    '{% x %}\n\n',
    'html`${\n\n',
    '<?php ?>\n',
  ],
  ...[
    '"',
    '(',
    '{',
    '/*\n\n',
    '<!--\n\n',
    '# a\n\n',
    '- a: |\n\n',
    '"""\n\n',
    'a.b\n\n',
    '>>> x\n\n',
    '$ x\n\n',
    'RUN a\n\n',
  ],
];
const CODE_LENGTH = 3_900;
/** Six times what the slowest of them costs. */
const COST_LIMIT = 100;
const STRIDE = sized({ nightly: 1, usual: 3 });

test.each(HIGHLIGHTERS)('%s takes no longer than its length allows', (language) => {
  for (const other of HIGHLIGHTERS) highlighterFor(other);
  // In turns, so that each pump is tried in some languages, and each language with some pumps.
  const turn = HIGHLIGHTERS.indexOf(language);
  for (const pump of PUMPS.filter((_, index) => (index + turn) % STRIDE === 0)) {
    const content = `\`\`\`${aliasOf(language)}\n${pump.repeat(CODE_LENGTH / pump.length)}\n\`\`\``;
    const cost = costOf(() => render(content, world), COST_LIMIT);
    expect({ pump, isCheap: cost < COST_LIMIT }).toEqual({ pump, isCheap: true });
  }
});
