import { organization } from './hostile.fixture.js';
import { htmlProblem } from './html-checker.fixture.js';
import { normalizeContent, render } from './index.js';
import { MARKUP_LENGTH_LIMIT, MATH_BYTES_LIMIT } from './rendering.js';
import { world } from './world.fixture.js';

/** The maximum length of a message, in characters. */
const LENGTH = 10_000;

/** Short source with long HTML. */
const SHORT_FORMS = [
  '😀',
  ':+1: ',
  ':party_cat: ',
  '@**|12** ',
  '@*group* ',
  '@_**|12** ',
  '@**all** ',
  '#**announce** ',
  '#**announce>a** ',
  '<time:1> ',
  ':) ',
];

const repeated = (form: string, length: number): string =>
  normalizeContent(form.repeat(Math.floor(length / form.length)));
const countOf = (html: string, part: string): number => html.split(part).length - 1;

test.each(SHORT_FORMS)('a message of %j alone grows by no more than the markup that a message may have', (form) => {
  const content = repeated(form, LENGTH);
  const { html } = render(content, organization);
  const rest = `<p>${content.replaceAll('<', '&lt;')}</p>`;
  expect(html.length).toBeGreaterThan(MARKUP_LENGTH_LIMIT - 200);
  expect(html.length).toBeLessThanOrEqual(MARKUP_LENGTH_LIMIT + rest.length);
  expect(htmlProblem(html)).toBeUndefined();
});

test('10 kB of emoji become less than 60 kB, the first of them shown as pictures and the rest as they were written', () => {
  const content = '😀'.repeat(2_500);
  const { html } = render(content, world);
  expect(Buffer.byteLength(html)).toBeLessThan(60_000);
  const shown = countOf(html, '<span ');
  expect(shown).toBeGreaterThanOrEqual(400);
  expect(html.endsWith(`</span>${'😀'.repeat(2_500 - shown)}</p>`)).toBe(true);
});

test('up to the limit each form is what it is in a message of its own', () => {
  const one = render('😀', world).html.slice('<p>'.length, -'</p>'.length);
  expect(render('😀'.repeat(400), world).html).toBe(`<p>${one.repeat(400)}</p>`);
});

test('who is mentioned beyond the limit is not mentioned: it stands there as it was written', () => {
  const content = `${'😀'.repeat(600)} @**Full Name** :smile: #**announce** <time:1>`;
  const { html, mentions, textForAlertWords } = render(content, world);
  expect(html.endsWith(' @**Full Name** :smile: #**announce** &lt;time:1&gt;</p>')).toBe(true);
  expect(mentions.users).toEqual([]);
  expect(textForAlertWords).toContain('@**Full Name** :smile:');
  expect(render(`@**Full Name** ${content}`, world).mentions.users).toEqual([12]);
});

test('what has limits of its own is not touched by that', () => {
  const { html } = render(`${'😀'.repeat(600)} **bold** $$x$$ https://example.com`, world);
  expect(html).toContain('<strong>bold</strong> <span class="katex">');
  expect(html).toContain('<a href="https://example.com">');
});

/** Formulas that take few characters and much HTML. */
const FORMULAS = [
  '$$x$$ ',
  '$$x^2$$ ',
  '$$\\sqrt{\\sqrt{x}}$$ ',
  '$$\\frac1{\\frac1x}$$ ',
  '$$\\binom ab$$ ',
  '$$\\a$$ ',
  '$$<$$ ',
];

test.each(FORMULAS)(
  'a message of formulas %j has no more HTML than formulas may have, and shows the rest as it was written',
  (form) => {
    const { html } = render(repeated(form, LENGTH), world);
    expect(Buffer.byteLength(html)).toBeLessThan(
      MATH_BYTES_LIMIT + repeated(form, LENGTH).replaceAll('<', '&lt;').length + 10,
    );
    expect(htmlProblem(html)).toBeUndefined();
    expect(render(repeated(form, LENGTH), world).html).toBe(html);
  },
);

test.each(['x^2', '\\sqrt{\\sqrt{\\sqrt{x}}}', '\\a'])('so has a block of formulas %j', (tex) => {
  const content = normalizeContent(`\`\`\`math\n${`${tex}\n\n`.repeat(LENGTH / (tex.length + 2) - 5)}\`\`\``);
  const { html } = render(content, world);
  expect(Buffer.byteLength(html)).toBeLessThan(64_000);
  expect(htmlProblem(html)).toBeUndefined();
});

test('what comes after the formulas that fit stays as it was written', () => {
  const { html } = render(`${'$$\\sqrt{x^2}$$ '.repeat(400)}$$y$$`, world);
  expect(html).toContain('<span class="katex">');
  expect(html.endsWith(' $$\\sqrt{x^2}$$ $$y$$</p>')).toBe(true);
});

test('one long formula of ordinary length is typeset', () => {
  const { html } = render(`$$${'a+b='.repeat(50)}0$$`, world);
  expect(html).toContain('<span class="katex">');
});
