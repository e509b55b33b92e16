import type { RenderWorld } from './world.js';
import { world } from './world.fixture.js';

/** An organization in which everything is configured, with hostile values where possible. */
export const organization: RenderWorld = {
  ...world,
  translateEmoticons: true,
  defaultCodeLanguage: 'python',
  linkifiers: [
    { pattern: 'BUG-(?P<id>[0-9]+)', urlTemplate: 'https://bugs.example.com/{id}' },
    { pattern: '(?P<all>[a-z(:].*)', urlTemplate: '{+all}' },
    { pattern: '(?:[a-z0-9-]+ ?)+(?:[a-z]*)*=', urlTemplate: 'https://e.example/' },
  ],
};

/** What hostile content is put together from. */
// prettier-ignore
export const FRAGMENTS: readonly string[] = [
  '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '</p>', '<a href="javascript:x">', '" onmouseover="x',
  '\' onload=\'x', '&lt;', '&#60;', 'javascript:alert(1)', 'JAVASCRIPT:', 'data:text/html,x', 'vbscript:x',
  'java\tscript:', '[x](', ')', '![x](', '<', '>', '"', '\'', '&', '\\', '**', '*', '***', '_', '~~', '`', '```',
  '````', '~~~', '$$', '$$x$$', '$$\\href{javascript:x}{y}$$', '$$<$$', '```math\n', '```quote\n', '```spoiler <b>\n',
  '```js\n', '```"><script>\n', '```http\n', '```html\n', '```md\n', 'HTTP/1.1 200\n\n', '<script>a=<b>c\n\n', '\n', '\n\n', '> ', '- ', '1. ', '    ', '  - ', '# ', '---', '|a|b|\n|-|-:|\n|', '|',
  '@**', '@**|15**', '@_**Full Name**', '@**all**', '@*group*', '#**', '#**<b>"x"**', '#**<b>"x">"><script>**',
  '#**announce>**', '@', '#', '<time:', '<time:2024-01-01>', '<time:"><script>>', ':smile:', ':party_cat:', ':', '😀',
  '👩\u200d👩\u200d👧', '\ud83d', '\udc00', '\0', '\r', '\u2028', 'http://e.example/"><script>',
  'https://chat.example.com/', 'https://chat.example.com//e', '/user_uploads/2/"x.png', '/user_uploads/2/x.png',
  'a@b.c', 'BUG-1', ' ', 'word', '%', '%0', '{', '}', '(', ']', '[', '^', '!', '=', ':)', '<3',
  '[x](&#106;avascript:x)', '<javascript:x>', '<https://e.example/>', '[<https://e.example/>', '<a@b.example>](/y)', '](/y)', '![a](/user_uploads/2/x.png)',
  '[x](/user_uploads/2/x.mp4)', '![x](/user_uploads/2/x.mp3)', '](/user_uploads/2/y.mp3)', '![](http://e.example/x.png)',
  '[![](http://e.example/x.png)](/x)', '](http://e.example "',
  '@**Full Name|12**', '@_*role:members*', '@**topic**', '#**announce>Zulip updates@214**', '$$\\frac{1}{x}$$',
  '$$\\def\\a{x}\\a$$', '```spoiler\n', '~~~ \n', 'https://e.example/a_b*c', 'www.e.example', 'é', '漢', '。', '\t',
  '&nbsp;', '&#0;', '\u202e', '\ufeff', '</div></div>', '<svg onload=x>', '<!--', ']]>', 'style="x:expression(1)"',
  'https://youtu.be/abcdefghijk', 'https://www.youtube.com/watch?v=', 'https://vimeo.com/1084537', '/"><b>',
  'https://e.example/a.mp4', '[x](https://vimeo.com/1/abc)', '.mov', '?v=', '&v=abcdefghijk',
  ':1:', '1️⃣', '🇺🇸', 'BUG-2 BUG-3', '* * *\n', '1) ', '+ ', '|-|\n', '\\|', '/me ', 'x'.repeat(70),
];

/** What makes parsers slow, or their output deep or large, when it is repeated. */
// prettier-ignore
export const PUMPS: readonly string[] = [
  '>', '> ', '>\n- ', '- ', '- a\n', '1. ', '* * ', '*', '**', '***', '*a **b ', '~~', '~~a', '[', '[[]', '](',
  '[a](', '[a](<', '[a](b "', '![', '![a](', '`', '`a``b', '``` ', '~~~\n', '```quote\n', '```spoiler x\n',
  '```math\n', '$$', '$$x', '$$>', '\'$$', '$$\\frac{', '\\', '&', '&amp', '<', '</', '<a', '<http:', '<time:', '@**',
  '@_**a', '@*', '#**', '#**a>', ':', ':a', ':smile:', '|', '|a', 'a|\n', '|-|-\n', '\n', '\n\n', '\t', '    a\n',
  '# ', '=', '-', '---\n', 'http://', 'http://[', 'http://a/(', 'http://a.com/"', 'http://a.com/{', 'a.b', 'a.com ',
  'x.', 'xn--', 'a@', '@a.bb', 'mailto:', '//a.com', '😀', '👩\u200d👩\u200d', '\u200d', '🇺', '1️⃣', ' :)', 'BUG-',
  'BUG-1 ', 'aaaa:', 'ł', 'http://a/', 'http://a.com/http://b.com/', '漢字http://a.com/', 'https://a.b.c.d.e/', '+a.bb',
  'http://a_', 'a@b.com', 'a@b.com,', '[::', 'a@[IPv6:', '-a.b', '$a.com', '![a](/user_uploads/2/x.png)',
  '[a](/user_uploads/2/x.png) ', '@**Full Name** ', '@**topic**', '#**announce>a@1** ', '\\$', '$$x$$ ',
  '<time:2024-01-01>', '|:-:', '> ```quote\n', '- > ', '[a]: /x\n', '<3 ', '1. a\n  3. b\n', '- a\n  9. b\n', '[](', '~~ a ', '` a ', '>\n', '* a\n- b\n', '- * a\n  + b\n', '~', '~~~~', '`a` ', 'a\n---\n', '\u00a0', '|\n-\n', '# |\n--\n',
  'é', '漢', '。', 'HTTP/1.1 200\n\n', '<script>x=<a>y\n\n',
];

/** Repetition that is only harmful between two texts. */
export const FRAMED_PUMPS: readonly (readonly [before: string, pump: string, after: string])[] = [
  ['```', ' ', '`'],
  ['~~~', ' \t', '`'],
  ['```a', ' ', '`'],
  ['```spoiler', ' ', '`\n'],
  ['<time:2024 (', ' ', '>'],
  ['[', ' ', '](x)'],
  ['[a](', ' ', 'x'],
  ['[a](b', ' ', '"'],
  ['http://a.com/', '*', 'x'],
  ['http://a.com/', '~~', ''],
  ['http://a.com/', '(', ')'],
  ['http://', 'a.', '/'],
  ['http://', 'a-', '.'],
  ['https://www.youtube.com/watch?', '&v=', 'x'],
  ['https://e.example/', '.mp4/', 'x'],
  ['a@', 'b.', ''],
  ['', 'a', '@b.com'],
  ['|', '|', '\n|-|\n'],
  ['|a|\n|-|\n', '|', '|'],
  ['$$', '{', '$$'],
  ['$$', '\\$', '$'],
  ['*', '**a', '*'],
  ['- ', '\n  - a', '\n'],
  ['> ', '\n> > a', ''],
  ['#**announce>', 'a', '**'],
  ['#**', '>', '**'],
  ['@**', '|1', '**'],
  ['BUG-', '1', 'x'],
  ['', '\n', 'a'],
  [`$$\\def\\a{${'x'.repeat(480)}}`, '\\a', '$$'],
  [`$$\\newcommand{\\a}{${'x'.repeat(480)}}`, '\\a', '$$'],
  ['1', '1', '. a'],
  [`${'|a'.repeat(30)}\n${'|-'.repeat(30)}\n`, 'x\n', ''],
  [`${'|a'.repeat(59)}\n${'|-'.repeat(59)}\n`, '|\n', ''],
  ['', 'a|b\n-|-\n***\n', ''],
  ['```http\n', 'HTTP/1.1 200\n\n', '```'],
  ['```html\n', '<script>x=<a>y\n\n', '```'],
  ['```md\n', '<script>\n\n- `', '```'],
];
