import { organization } from './hostile.fixture.js';
import { htmlProblem } from './html-checker.fixture.js';
import { normalizeContent, render } from './index.js';
import { HTML_BYTES_LIMIT, MARKUP_LENGTH_LIMIT, MATH_BYTES_LIMIT } from './rendering.js';
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

/** Each class of content, in its shortest form. */
const CLASSES: readonly (readonly [name: string, form: string])[] = [
  ['text to escape', '&'],
  ['line ends', 'a\n'],
  ['paragraphs', 'a\n\n'],
  ['bold text', '**a** '],
  ['italics', '*a* '],
  ['code in lines', '`a` '],
  ['struck text', '~~a~~ '],
  ['headings', '#\n'],
  ['rules', '***\n'],
  ['quotes', '>a\n\n'],
  ['quotes in quotes', `${'>'.repeat(19)}a\n\n`],
  ['lists', '-\n'],
  ['numbered lists', '1.\n2)\n'],
  ['lists in lists', `${'- '.repeat(19)}a\n`],
  ['empty fences', '```\n```\n'],
  ['empty fences of a language', '~~~py\n~~~\n'],
  ['fences of quotes', '```quote\n```\n'],
  ['spoilers', '```spoiler\n```\n'],
  ['tables', '|a\n|-\n\n'],
  ['rows of a table', '|a|a|\n|-|-|\n'],
  ['wide tables', `${'|a'.repeat(59)}\n${'|-'.repeat(59)}\n${'|\n'.repeat(80)}\n`],
  ['aligned tables', `${'|a'.repeat(59)}\n${'|:-:'.repeat(59)}\n${'|\n'.repeat(80)}\n`],
  ['code of numbers', `\`\`\`json\n${'[1,2],'.repeat(60)}\n\`\`\`\n`],
  ['code of tags', `\`\`\`html\n${'<a b=1>'.repeat(50)}\n\`\`\`\n`],
  ['addresses', 'a.co '],
  ['addresses of other scripts', 'http://漢漢漢漢漢漢漢漢漢漢漢漢 '],
  ['mailboxes', 'a@b.co '],
  ['links', '[](a.co)'],
  ['titles', `[a](a.co "${'&'.repeat(500)}") `],
  ['pictures', '![](/user_uploads/2/a.png) '],
  ['links to pictures', '[](/user_uploads/2/a.png) '],
  ['videos', '[](https://vimeo.com/1/a) '],
  ['matches of linkifiers', 'BUG-1 '],
  ['formulas in blocks', '```math\nx\n```\n'],
  ['other scripts', '漢'],
];

const LONG = `https://example.com/${'x'.repeat(900)}/{id}`;
const linkifying = { ...organization, linkifiers: [{ pattern: 'BUG-(?P<id>[0-9]+)', urlTemplate: LONG }] };

test.each(CLASSES)('a message of %s has no more HTML than a message may have', (_, form) => {
  const content = `${repeated(form, LENGTH - 20)}\n\nthe end`;
  for (const in_ of [world, linkifying]) {
    const { html } = render(content, in_);
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(HTML_BYTES_LIMIT);
    expect(htmlProblem(html)).toBeUndefined();
    expect(html).toContain('the end');
  }
});

test('the blocks that fit are shown as usual, and from the first that does not fit on all is shown as it was written', () => {
  const { html, textForAlertWords } = render(`${'```\n```\n'.repeat(1_200)}**end** @**Full Name**`, world);
  expect(countOf(html, '<div class="codehilite">')).toBeGreaterThan(500);
  expect(html.endsWith('```<br>\n```<br>\n**end** @**Full Name**</p>')).toBe(true);
  expect(textForAlertWords).toContain('**end** @**Full Name**');
});

test('what is shown as it was written notifies nobody, and has no links', () => {
  const much = '```\n```\n'.repeat(1_200);
  const found = render(`@**Full Name** [a](/user_uploads/2/a.txt)\n\n${much}`, world);
  expect(found).toMatchObject({ mentions: { users: [12] }, uploads: ['2/a.txt'], hasLink: true });
  const { mentions, uploads, hasLink, hasImage, hasAttachment } = render(
    `${much}@**Full Name** @**all** [a](/user_uploads/2/a.png)`,
    world,
  );
  expect({ mentions, uploads, hasLink, hasImage, hasAttachment }).toEqual({
    mentions: { ...mentions, users: [], channelWildcard: false },
    uploads: [],
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
  });
});

test('ten thousand characters of another script have room for emoji', () => {
  const { html } = render(`${'漢字'.repeat(4_950)} ${'😀'.repeat(100)}`, world);
  expect(countOf(html, '<span ')).toBe(100);
});
