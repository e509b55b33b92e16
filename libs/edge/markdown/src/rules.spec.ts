/** What the interface says of Markdown (rules.md §9), row by row, where no other suite of this library has it. */
import { costOf } from '#testing';
import { render, renderDescription, type RenderWorld, type UploadMetadata } from './index.js';
import { world } from './world.fixture.js';

const html = (content: string, in_: RenderWorld = world): string => render(content, in_).html;
const p = (inner: string): string => `<p>${inner}</p>`;
const code = (inner: string, language = ''): string =>
  `<div class="codehilite"${language === '' ? '' : ` data-code-language="${language}"`}><pre><span></span><code>${inner}\n</code></pre></div>`;
const quote = (inner: string): string => `<blockquote>\n${inner}\n</blockquote>`;
const spoiler = (header: string, content: string): string =>
  `<div class="spoiler-block"><div class="spoiler-header">\n${header}</div><div class="spoiler-content" aria-hidden="true">\n${content}</div></div>`;
const FULL_NAME = '<span class="user-mention" data-user-id="12">@Full Name</span>';
const QUIET_NAME = '<span class="user-mention silent" data-user-id="12">Full Name</span>';
const GONE = '<span class="user-mention silent" data-user-id="16">Gone</span>';

type Rows = readonly (readonly [source: string, expected: string])[];
const each = (rows: Rows): void => {
  test.each(rows)('%j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });
};

describe('input: like CommonMark, without HTML, reference links and emphasis by underscores', () => {
  each([
    ['<b>x</b> <!-- c --> &lt;', p('&lt;b&gt;x&lt;/b&gt; &lt;!-- c --&gt; &lt;')],
    ['<div>\n*x*\n</div>', p('&lt;div&gt;<br>\n<em>x</em><br>\n&lt;/div&gt;')],
    ['[x]: /y\n\n[x]', `${p('[x]: /y')}\n${p('[x]')}`],
    ['**b** and **b', p('<strong>b</strong> and **b')],
    ['~a~ ~~a~~', p('~a~ <del>a</del>')],
    ['~~ a ~~ ~~b ~~ ~~ *c*~~', p('<del> a </del> <del>b </del> <del> <em>c</em></del>')],
    ['x ~~~~a~~~~ ~~~b~~~ ~~c~~', p('x ~~~~a~~~~ ~~~b~~~ <del>c</del>')],
    ['x ~~a~~~\nx ~~~b~~', p('x ~~a~~~<br>\nx ~~~b~~')],
    ['~~ ~~ ~~~ a ~~~ ~~ a\nb ~~', p('~~ ~~ ~~~ a ~~~ ~~ a<br>\nb ~~')],
    ['` a ` `` b `` ` `', p('<code> a </code> <code> b </code> <code> </code>')],
    ['>', p('&gt;')],
    ['>\n>', p('&gt;<br>\n&gt;')],
    ['>\n>\ntext', quote(p('text'))],
    ['a\n>\nb\n\nc', `${p('a')}\n${quote(p('b'))}\n${p('c')}`],
    ['- >\n  a\n- b', `<ul>\n<li>\n${quote(p('a'))}\n</li>\n<li>b</li>\n</ul>`],
    ['- >\n- b', `<ul>\n<li>&gt;</li>\n<li>b</li>\n</ul>`],
    ['>\n```\nx\n```', `${p('&gt;')}\n${code('x')}`],
    ['**a\nb** *c\nd* **e**', p('**a<br>\nb** *c<br>\nd* <strong>e</strong>')],
    ['**a**\n**b** ~~c\nd~~ ~~e~~', p('<strong>a</strong><br>\n<strong>b</strong> ~~c<br>\nd~~ <del>e</del>')],
    ['[**a\nb** **c**](/x)', p('<a href="/x">**a<br>\nb** <strong>c</strong></a>')],
    ['~~~ text ~~~', p('~~~ text ~~~')],
    ['a\n~~~ b ~~~\nc', p('a<br>\n~~~ b ~~~<br>\nc')],
    ['~~~ text\nx\n~~~', code('x', 'Text only')],
    ['```\n\n\nx\n\ny\n\n```', code('x\n\ny')],
    ['$$_$$ $$_x$$', p('$$_$$ $$_x$$')],
    ['a\n\n> \n\nb', `${p('a')}\n${p('&gt;')}\n${p('b')}`],
    ['>\n> a', quote(p('a'))],
    ['``a`b`` `a\nb`', p('<code>a`b</code> <code>a b</code>')],
    ['# H #\n####### no', `<h1>H</h1>\n${p('####### no')}`],
    ['a\n***\nb', `${p('a')}\n<hr>\n${p('b')}`],
    ['Title\n===', p('Title<br>\n===')],
    ['a\\\nb\\*', p('a<br>\nb*')],
  ]);
});

describe('addresses', () => {
  const to = (url: string): string => `<a href="${url}">${url}</a>`;

  each([
    ['https://example.com/x: and', p(`${to('https://example.com/x')}: and`)],
    ['https://example.com:8080/x::', p(`${to('https://example.com:8080/x')}::`)],
    ['https://example.com/a:b', p(to('https://example.com/a:b'))],
    ['example.com/x: and', p('<a href="http://example.com/x">example.com/x</a>: and')],
    ['http://user@host/page', p(to('http://user@host/page'))],
    ['http://user:pw@example.com/', p(to('http://user:pw@example.com/'))],
    ['https://e.example/((((((x)))))) y', p(`${to('https://e.example/((((((x))))))')} y`)],
    ['https://e.example/x_(1(2(3(4(5(6))))))z)', p(`${to('https://e.example/x_(1(2(3(4(5(6))))))z')})`)],
  ]);
});

test.each([
  ['python3', 'Python'],
  ['Golang', 'Go'],
  ['docker', 'Docker'],
  ['terraform', 'Terraform'],
  ['ebnf', 'EBNF'],
  ['prolog', 'Prolog'],
  ['vue', 'Vue'],
  ['kt', 'kt'],
])('the language %s of a fence is shown by its canonical name', (alias, canonical) => {
  expect(html('```' + alias + '\n```')).toContain(`data-code-language="${canonical}"`);
});

describe('lists', () => {
  const ul = (...items: string[]): string => `<ul>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ul>`;
  const ol = (start: string, ...items: string[]): string =>
    `<ol${start}>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ol>`;

  each([
    ['9. a\n10. b\n100. c', ol(' start="9"', 'a', 'b', 'c')],
    ['10. a\n  - b\n  - c\n11. d', ol(' start="10"', `a${ul('b', 'c')}\n`, 'd')],
    ['1. a\n    - b', ol('', `a${ul('b')}\n`)],
    ['1. a\n   1. b\n2. c', ol('', `a${ol('', 'b')}\n`, 'c')],
    ['1. a\n  - b\n    - c\n  - d', ol('', `a${ul(`b${ul('c')}\n`, 'd')}\n`)],
    ['- a\n    - b', ul(`a${ul('b')}\n`)],
    ['  - a\n  - b', ul('a', 'b')],
    ['  1. a\n  2. b', ol('', 'a', 'b')],
    ['1. - a\n   - b', ol('', `\n${ul('a', 'b')}\n`)],
    ['1.\ta\n2.\tb', ol('', 'a', 'b')],
    ['> 1. a\n>   - b\n> 2. c', quote(ol('', `a${ul('b')}\n`, 'c'))],
    ['text\n- a', `${p('text')}\n${ul('a')}`],
    ['1. a\n\n       code', ol('', `\n${p('a')}\n${code('code')}\n`)],
    ['1. ```\n  x\n   ```', ol('', `\n${code('x')}\n`)],
    ['1. ```\n  x\n    y\n  ```', ol('', `\n${code('x\n  y')}\n`)],
    ['1. a\n  - b\n    ```\n      x\n    y\n    ```\n', ol('', `a${ul(`b${code('  x\ny')}\n`)}\n`)],
    [
      '- a\n  ```spoiler\n  ```\n  ```math\n  \\x\n  ```',
      ul(`a${spoiler('', '')}\n${p('<span class="tex-error">\\x</span>')}\n`),
    ],
    ['* a\n- b\n+ c', ul('a', 'b', 'c')],
    ['* a\n\n- b', `${ul('a')}\n${ul('b')}`],
    ['> * a\n> - b', quote(ul('a', 'b'))],
    ['- a\n  * b\n  + c\n* d', ul(`a${ul('b', 'c')}\n`, 'd')],
    ['1. A\n2. B\n  3. C', ol('', 'A', `B${ol(' start="3"', 'C')}\n`)],
    ['- A\n  3. B\n  4. C', ul(`A${ol(' start="3"', 'B', 'C')}\n`)],
    ['1. A\n   7) B', ol('', `A${ol(' start="7"', 'B')}\n`)],
    ['1. A\n  1984. B', ol('', 'A<br>\n1984. B')],
    ['A\n3. B', p('A<br>\n3. B')],
    ['- > A\n  > 3. B', ul(`\n${quote(p('A<br>\n3. B'))}\n`)],
    ['- a\n  ```zzz\n  x\n  ```', ul(`a${code('x', 'zzz')}\n`)],
    ['- a\n  > b', ul(`a${quote(p('b'))}\n`)],
    ['- a\n  # b', ul('a<h1>b</h1>\n')],
    ['- a\n\n- b', ul(`\n${p('a')}\n`, `\n${p('b')}\n`)],
  ]);
});

describe('tables have a head and a body, and cells their alignment', () => {
  each([
    ['|a|b|\n|-|-|', '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n</tbody>\n</table>'],
    [
      'a|b\n:-|-:\nx \\| *y*|@**Full Name**',
      '<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: right;">b</th>\n</tr>\n</thead>\n' +
        `<tbody>\n<tr>\n<td style="text-align: left;">x | <em>y</em></td>\n<td style="text-align: right;">${FULL_NAME}</td>\n</tr>\n</tbody>\n</table>`,
    ],
  ]);

  /** Ten times what the slowest of them costs. */
  const COST_LIMIT = 60;
  const table = (columns: number, rows: number): string =>
    `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'x\n'.repeat(rows)}`.trimEnd();

  test.each([
    [2, 1_700],
    [30, 160],
    [60, 80],
    [61, 1, 'text'],
    [2, 2_000, 'text'],
    [30, 170, 'text'],
    [59, 4_900, 'text'],
    [30, 4_900, 'text'],
    [3, 4_900, 'text'],
  ])('%i columns and %i lines', (columns, rows, shown = 'table') => {
    const content = table(columns, rows);
    const rendered = html(content);
    expect(costOf(() => html(content), COST_LIMIT)).toBeLessThan(COST_LIMIT);
    if (shown === 'text') expect(rendered).toBe(p(content.replaceAll('\n', '<br>\n')));
    else expect(rendered.match(/<td>/g)).toHaveLength(columns * rows);
  });
});

describe('code', () => {
  each([
    ['~~~ zzz title\nx\n~~~', code('x', 'zzz')],
    ['```{.zzz}\nx\n```', code('x', 'zzz')],
    ['```text\n<x>\n```', code('&lt;x&gt;', 'Text only')],
    ['```Zzz\nx', code('x', 'Zzz')],
    ['````\n```\n````', code('```')],
    ['```\n@**all** :smile: https://e.example\n```', code('@**all** :smile: https://e.example')],
    ['    *x*\n\n    y', code('*x*\n\ny')],
  ]);

  test('tokens carry the classes of Pygments', () => {
    expect(html('```js\nconst a = 1 // b\n```')).toBe(
      code('<span class="k">const</span> a = <span class="m">1</span> <span class="c">// b</span>', 'JavaScript'),
    );
  });
});

describe('quotes and spoilers nest, in each other too', () => {
  each([
    ['> a\n> > b\n\nc', `${quote(`${p('a')}\n${quote(p('b'))}`)}\n${p('c')}`],
    ['````quote\n```quote\nx\n```\ny\n````', quote(`${quote(p('x'))}\n${p('y')}`)],
    ['~~~quote\n> x\n~~~', quote(quote(p('x')))],
    ['```quote\n@**Full Name**\n```', quote(p(QUIET_NAME))],
    ['> ```spoiler T\n> @**Full Name**\n> ```', quote(spoiler(`${p('T')}\n`, `${p(QUIET_NAME)}\n`))],
    ['```spoiler\n```', spoiler('', '')],
    [
      '```spoiler T\n```zzz\nx\n```\n```quote\ny\n```\n```\nafter',
      `${spoiler(`${p('T')}\n`, `${code('x', 'zzz')}\n${quote(p('y'))}\n`)}\n${p('after')}`,
    ],
    ['- ```quote\n  x\n  ```', `<ul>\n<li>\n${quote(p('x'))}\n</li>\n</ul>`],
    ['```spoiler @**Full Name** *a*\nb\n```', spoiler(`${p(`${FULL_NAME} <em>a</em>`)}\n`, `${p('b')}\n`)],
    ['```quoted\nx\n```', code('x', 'quoted')],
  ]);
});

describe('math', () => {
  test.each([
    ['$$ x $$', ' x '],
    ['$$a\\$b$$', 'a\\$b'],
    ['$$\\text{a<b}$$', '\\text{a&lt;b}'],
    ['~~~ math\nx\ny\n~~~', 'x\ny'],
    ['> $$x$$', 'x'],
  ])('%j says what it was written as', (source, tex) => {
    expect(html(source)).toContain(`<annotation encoding="application/x-tex">${tex}</annotation>`);
  });

  each([
    ['$$x$$y $$$x$$$ \\$$x$$', p('$$x$$y $$$x$$$ $$x$$')],
    ['```math\n\\nope\n```', p('<span class="tex-error">\\nope</span>')],
    ['$$\\def\\a{x}\\a$$', p('<span class="tex-error">$$\\def\\a{x}\\a$$</span>')],
  ]);
});

test('a block of math holds a formula for each of its paragraphs', () => {
  const rendered = html('```math\nx\n\n\\nope\n \n\ny\n```');
  expect(rendered).toMatch(
    /^<p><span class="katex-display">.*>x<\/annotation>.*<span class="tex-error">\\nope<\/span><span class="katex-display">.*>y<\/annotation>.*<\/p>$/,
  );
});

describe('emoji', () => {
  const organization: RenderWorld = {
    ...world,
    customEmoji: (name) => (name === 'party' || name === 'smile' ? { url: `/static/emoji/${name}.png?"` } : undefined),
  };

  test.each([
    [':party:', '<img alt=":party:" class="emoji" src="/static/emoji/party.png?&quot;" title="party">'],
    [':smile:', '<img alt=":smile:" class="emoji" src="/static/emoji/smile.png?&quot;" title="smile">'],
    ['a:+1:b', 'a<span aria-label="+1" class="emoji emoji-1f44d" role="img" title="+1">:+1:</span>b'],
    [
      '🇺🇸❤️',
      '<span aria-label="flag united states" class="emoji emoji-1f1fa-1f1f8" role="img" title="flag united states">:flag_united_states:</span><span aria-label="heart" class="emoji emoji-2764" role="img" title="heart">:heart:</span>',
    ],
    [':SMILE: \\:tada: : :', ':SMILE: :tada: : :'],
  ])('%j', (source, expected) => {
    expect(html(source, organization)).toBe(p(expected));
  });
});

describe('mentions', () => {
  each([
    ['@**full name|12**', p(FULL_NAME)],
    [
      '\'@**Full Name**\' "@**Full Name**" {@**Full Name**} /@**Full Name** <@**Full Name**>',
      p(`'${FULL_NAME}' "${FULL_NAME}" {${FULL_NAME}} /${FULL_NAME} &lt;${FULL_NAME}&gt;`),
    ],
    ['@**Gone** @_**Gone**', p(`${GONE} ${GONE}`)],
    ['**@**Full Name****', p('<strong>@<strong>Full Name</strong></strong>')],
    ['.@**Full Name** é@*group*', p('.@<strong>Full Name</strong> é@<em>group</em>')],
    ['@_**Full Name|12** [said](/x):', p(`${QUIET_NAME} <a href="/x">said</a>:`)],
    ['/me @**Full Name**', p(`/me ${FULL_NAME}`)],
    [
      '@_**all** @_**stream** @**stream**',
      p(
        '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span> <span class="user-mention channel-wildcard-mention silent" data-user-id="*">stream</span> <span class="user-mention channel-wildcard-mention" data-user-id="*">@stream</span>',
      ),
    ],
    [
      '@**role:members** @_*role:members*',
      p('@<strong>role:members</strong> <span class="user-group-mention silent" data-user-group-id="6">Members</span>'),
    ],
  ]);

  test('a system group is shown silently, and known to be meant aloud', () => {
    const { html, mentions } = render('@*role:members* @*group*', world);
    expect(html).toContain('<span class="user-group-mention silent" data-user-group-id="6">Members</span>');
    expect(mentions).toMatchObject({ groups: [6, 5], silentGroups: [] });
    expect(render('@_*role:members*', world).mentions).toMatchObject({ groups: [], silentGroups: [6] });
  });

  test('who is named in the description of a picture only is not told', () => {
    expect(render('![@**Full Name** @**all**](/user_uploads/2/x.png)', world).mentions).toMatchObject({
      users: [],
      channelWildcard: false,
    });
  });
});

describe('links', () => {
  each([
    [
      '#**announce>x@12**, #**announce>@12**',
      p(
        '<a class="message-link" href="/#narrow/channel/9-announce/topic/x/near/12">#announce &gt; x @ 💬</a>, <a class="message-link" href="/#narrow/channel/9-announce/topic//near/12">#announce &gt; <em>general chat</em> @ 💬</a>',
      ),
    ],
    ['#**announce@12**', p('#<strong>announce@12</strong>')],
    ['main.rs x.sh Makefile.am y.so a@b.com/foo', p('main.rs x.sh Makefile.am y.so a@b.com/foo')],
    ['docs.rs/x www.get.sh', p('<a href="http://docs.rs/x">docs.rs/x</a> <a href="http://www.get.sh">www.get.sh</a>')],
    [
      '**https://e.example/a_b** ~~https://e.example~~',
      p(
        '<strong><a href="https://e.example/a_b">https://e.example/a_b</a></strong> <del><a href="https://e.example">https://e.example</a></del>',
      ),
    ],
    [
      '(https://e.example/a(b)c), "https://e.example"',
      p(
        '(<a href="https://e.example/a(b)c">https://e.example/a(b)c</a>), "<a href="https://e.example">https://e.example</a>"',
      ),
    ],
    [
      'https://e.example/?a=1&b="2"',
      p('<a href="https://e.example/?a=1&amp;b=%222%22">https://e.example/?a=1&amp;b="2"</a>'),
    ],
    [
      '<https://e.example/> <a@b.example.com> mailto:a@b.example.com',
      p(
        '<a href="https://e.example/">https://e.example/</a> <a href="mailto:a@b.example.com">a@b.example.com</a> <a href="mailto:a@b.example.com">mailto:a@b.example.com</a>',
      ),
    ],
    [
      'ftp://e.example/x www.e.com/x_y_z',
      p('<a href="ftp://e.example/x">ftp://e.example/x</a> <a href="http://www.e.com/x_y_z">www.e.com/x_y_z</a>'),
    ],
    ['見てhttps://e.example/x。次', p('見て<a href="https://e.example/x">https://e.example/x</a>。次')],
    [
      '[a@**Full Name**](javascript:x) <javascript:x> <data:text/html,x>',
      p('[a@<strong>Full Name</strong>](javascript:x) &lt;javascript:x&gt; &lt;data:text/html,x&gt;'),
    ],
    ['[![a](http://e.example/x.png)](/y)', p('<a href="/y">a</a>')],
    // A link in a link is its text; one without an address is none, and what stands in it may be one.
    ['[a <https://e.example/x> b](/y)', p('<a href="/y">a https://e.example/x b</a>')],
    ['[<a@e.example>](https://x.example/)', p('<a href="https://x.example/">a@e.example</a>')],
    ['[<https://e.example/x>]()', p('[<a href="https://e.example/x">https://e.example/x</a>]()')],
    [
      '[<https://e.example/x>](/user_uploads/2/y.mp3)',
      p('<audio controls preload="metadata" src="/user_uploads/2/y.mp3" title="https://e.example/x"></audio>'),
    ],
    [
      '[![a](/user_uploads/2/x.png)](/y)',
      p(
        '<a href="/y"><img alt="a" class="inline-image" data-original-src="/user_uploads/2/x.png" src="/user_uploads/2/x.png"></a>',
      ),
    ],
    // A link to a message is a link: what it says is for each reader to fetch, who may or may not see it.
    [
      'https://chat.example.com/#narrow/channel/9-announce/topic/x/near/3',
      p(
        '<a href="/#narrow/channel/9-announce/topic/x/near/3">https://chat.example.com/#narrow/channel/9-announce/topic/x/near/3</a>',
      ),
    ],
    [
      'https://www.youtube.com/watch?v=x',
      p('<a href="https://www.youtube.com/watch?v=x">https://www.youtube.com/watch?v=x</a>'),
    ],
  ]);

  test.each([
    [1_990, true],
    [2_010, false],
  ])('an address of about %i characters is a link: %s', (length, isLink) => {
    const url = `https://e.example/${'x'.repeat(length - 18)}`;
    expect(html(`see ${url} end`)).toBe(p(isLink ? `see <a href="${url}">${url}</a> end` : `see ${url} end`));
  });

  test('behind an address that is too long others are found', () => {
    const long = `http://e.example/${'x/http://e.example/'.repeat(200)}`;
    expect(html(`${long} http://e.example/y`)).toBe(p(`${long} <a href="http://e.example/y">http://e.example/y</a>`));
  });
});

describe('uploads', () => {
  const withFacts = (facts: UploadMetadata): RenderWorld => ({ ...world, upload: () => facts });

  test.each<[string, UploadMetadata, string]>([
    [
      'x.png',
      { contentType: 'image/gif', animated: true },
      '<img data-animated="true" data-original-content-type="image/gif" src="/user_uploads/2/x.png">',
    ],
    ['x', { contentType: 'image/png' }, '<img data-original-content-type="image/png" src="/user_uploads/2/x">'],
    ['x', { contentType: 'video/mp4' }, '<video preload="metadata" src="/user_uploads/2/x"></video>'],
    ['x.mp4', { contentType: 'text/plain' }, '<video preload="metadata" src="/user_uploads/2/x.mp4"></video>'],
    [
      'x.MP3',
      { contentType: 'application/octet-stream' },
      '<audio controls preload="metadata" src="/user_uploads/2/x.MP3"',
    ],
    ['x.mp4', { contentType: 'audio/mp4' }, '<audio controls preload="metadata" src="/user_uploads/2/x.mp4"'],
    ['x.mp3', { contentType: 'image/png' }, '<img data-original-content-type="image/png" src="/user_uploads/2/x.mp3">'],
  ])('%s of %j is shown', (name, facts, expected) => {
    expect(html(`[a](/user_uploads/2/${name})`, withFacts(facts))).toContain(expected);
  });

  test.each(['text/html', 'image/svg+xml', 'application/octet-stream'])('%s is not, under any name', (contentType) => {
    const in_ = withFacts({ contentType });
    expect(html('[a](/user_uploads/2/x.png)', in_)).toBe(p('<a href="/user_uploads/2/x.png">a</a>'));
    expect(html('![a](/user_uploads/2/x.png)', in_)).toBe(p('<a href="/user_uploads/2/x.png">a</a>'));
  });

  test('a quote behind a picture does not hide it, and 24 are shown at most', () => {
    expect(html('![a](/user_uploads/2/x.png)\n\n> q')).toContain('<img');
    const many = Array.from({ length: 20 }, (_, n) => `[a](/user_uploads/2/${n}.png) ![a](/user_uploads/2/x.png)`);
    expect(html(many.join(' ')).match(/<img/g)).toHaveLength(24);
  });

  test('pictures from elsewhere are links, and nothing is shown in descriptions', () => {
    expect(html('http://e.example/x.png ![a](http://e.example/x.png)')).not.toContain('<img');
    expect(renderDescription('![a](/user_uploads/2/x.png)', world)).toBe(p('<a href="/user_uploads/2/x.png">a</a>'));
  });
});

describe('linkifiers', () => {
  const linkifiers = [
    { pattern: 'B-(?P<id>[0-9]+)', urlTemplate: 'https://b.example/{id}' },
    { pattern: '(?P<all>[A-Z]+-[0-9]+(?: now)?)', urlTemplate: 'https://all.example/{all}' },
    { pattern: '(?P<q>[a-z]+)\\?(?P<page>[0-9]+)', urlTemplate: 'https://q.example/{q}{?page}' },
    { pattern: '(?P<e>e🎉)', urlTemplate: '/own/{e}' },
  ];
  const link = (url: string, text: string): string => `<a href="${url}">${text}</a>`;

  test.each([
    ['B-1 C-2', `${link('https://b.example/1', 'B-1')} ${link('https://all.example/C-2', 'C-2')}`],
    ['B-1 now', `${link('https://b.example/1', 'B-1')} now`],
    ['C-1 now', link('https://all.example/C-1%20now', 'C-1 now')],
    [
      'a?1 **C-2** `C-3` C-4x',
      `${link('https://q.example/a?page=1', 'a?1')} <strong>${link('https://all.example/C-2', 'C-2')}</strong> <code>C-3</code> C-4x`,
    ],
    [
      'https://e.example/C-2 [C-3](/x)',
      `${link('https://e.example/C-2', 'https://e.example/C-2')} ${link('/x', 'C-3')}`,
    ],
    ['e🎉', link('/own/e%F0%9F%8E%89', 'e🎉')],
  ])('%j', (source, expected) => {
    expect(html(source, { ...world, linkifiers })).toBe(p(expected));
  });

  test('two hundred matches of a message become links', () => {
    const content = 'C-1 *C-1* '.repeat(150);
    expect(html(content.trimEnd(), { ...world, linkifiers }).match(/<a /g)).toHaveLength(200);
  });
});

describe('time', () => {
  each([
    ['<time:2024-01-02T03:04:00 +05:30>', p('<time datetime="2024-01-01T21:34:00Z">2024-01-02T03:04:00 +05:30</time>')],
    [
      '<time:1704144840.5> <time:-1>',
      p('<time datetime="2024-01-01T21:34:00Z">1704144840.5</time> <time datetime="1969-12-31T23:59:59Z">-1</time>'),
    ],
    ['<time:0999-12-31>', p('<time datetime="0999-12-31T00:00:00Z">0999-12-31</time>')],
    [
      '<time:tea 5> <time:2023-02-29> <time:>',
      p(
        '<span class="timestamp-error">Invalid time format: tea 5</span> <span class="timestamp-error">Invalid time format: 2023-02-29</span> <span class="timestamp-error">Invalid time format: </span>',
      ),
    ],
    ['`<time:2024-01-01>`', p('<code>&lt;time:2024-01-01&gt;</code>')],
  ]);
});

test('/poll and /todo stay text', () => {
  expect(html('/poll Q\na\nb')).toBe(p('/poll Q<br>\na<br>\nb'));
});

test('linkifiers whose addresses are out of all proportion link the first matches', () => {
  const linkifiers = [{ pattern: 'B[0-9]', urlTemplate: `https://bugs.example.com/${'x'.repeat(950)}` }];
  const rendered = html('B1 '.repeat(200).trimEnd(), { ...world, linkifiers });
  expect(rendered.match(/<a href="[^"]*">B1<\/a> /g)).toHaveLength(40);
  expect(rendered.endsWith(`</a> ${'B1 '.repeat(160).trimEnd()}</p>`)).toBe(true);
});
