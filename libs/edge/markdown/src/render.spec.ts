import { render, renderDescription } from './index.js';
import { world } from './world.fixture.js';

const html = (content: string): string => render(content, world).html;
const p = (inner: string): string => `<p>${inner}</p>`;
const emoji = (code: string, name: string): string =>
  `<span aria-label="${name.replaceAll('_', ' ')}" class="emoji emoji-${code}" role="img" title="${name.replaceAll('_', ' ')}">:${name}:</span>`;

describe('inline', () => {
  test.each([
    ['**b** *i* ~~s~~ `c`', p('<strong>b</strong> <em>i</em> <del>s</del> <code>c</code>')],
    ['***bi***', p('<strong><em>bi</em></strong>')],
    ['*a **b***', p('<em>a <strong>b</strong></em>')],
    ['_x_ __y__ a_b_c', p('_x_ __y__ a_b_c')],
    ['a\nb  \nc', p('a<br>\nb<br>\nc')],
    ['2 * 3 * 4', p('2 * 3 * 4')],
    ['`a < b` & "c"', p('<code>a &lt; b</code> &amp; "c"')],
    ['<script>alert(1)</script>', p('&lt;script&gt;alert(1)&lt;/script&gt;')],
    ['/me waves', p('/me waves')],
    ['\\*no\\*', p('*no*')],
    ['[a]: https://example.com', p('[a]: <a href="https://example.com">https://example.com</a>')],
    ['', ''],
  ])('%j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });
});

describe('blocks', () => {
  test.each([
    ['# H', '<h1>H</h1>'],
    ['#no', p('#no')],
    ['Title\n---', `${p('Title')}\n<hr>`],
    ['a\n\nb', `${p('a')}\n${p('b')}`],
    ['> x', `<blockquote>\n${p('x')}\n</blockquote>`],
    ['```quote\nx\n```', `<blockquote>\n${p('x')}\n</blockquote>`],
    ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['1. a\n2. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['* a\n  * b', '<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>'],
    ['1. a\n  - b\n2. c', '<ol>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ol>'],
    [
      '|a|b|c|\n|-|-:|:-:|\n|1|2|',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align: right;">b</th>\n<th style="text-align: center;">c</th>\n</tr>\n</thead>\n' +
        '<tbody>\n<tr>\n<td>1</td>\n<td style="text-align: right;">2</td>\n<td style="text-align: center;"></td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      '```spoiler The *end*\nHe did it\n\n- really\n```',
      '<div class="spoiler-block"><div class="spoiler-header">\n<p>The <em>end</em></p>\n</div><div class="spoiler-content" aria-hidden="true">\n' +
        '<p>He did it</p>\n<ul>\n<li>really</li>\n</ul>\n</div></div>',
    ],
    [
      '```spoiler\nx',
      '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p>x</p>\n</div></div>',
    ],
  ])('%j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  test('fences nest: the inner code ends before the quote does', () => {
    expect(html('```quote\n```zzz\nlet a\n```\nb\n```\nc')).toBe(
      '<blockquote>\n<div class="codehilite" data-code-language="zzz"><pre><span></span><code>let a\n</code></pre></div>\n' +
        `${p('b')}\n</blockquote>\n${p('c')}`,
    );
  });
});

describe('code', () => {
  const block = (language: string, code: string): string =>
    `<div class="codehilite"${language}><pre><span></span><code>${code}</code></pre></div>`;

  test.each([
    ['```\na <b>\n```', block('', 'a &lt;b&gt;\n')],
    ['~~~\na\n~~~', block('', 'a\n')],
    ['    a\n    b', block('', 'a\nb\n')],
    ['```"><x\na\n```', block(' data-code-language="&quot;&gt;&lt;x"', 'a\n')],
    [
      '```py\nreturn "<"\n```',
      block(' data-code-language="Python"', '<span class="k">return</span> <span class="s">&quot;&lt;&quot;</span>\n'),
    ],
    ["```py\na = 'b'\n```", block(' data-code-language="Python"', 'a = <span class="s">&#39;b&#39;</span>\n')],
    ['```\n"a" & \'b\'\n```', block('', '&quot;a&quot; &amp; &#39;b&#39;\n')],
    ['```\n  a  \n \n\tb\t\n```', block('', '  a\n\n\tb\n')],
    ['    a  \n    b', block('', 'a\nb\n')],
    ['```c++\nx\n```', block(' data-code-language="C++"', 'x\n')],
    ['```\n```', block('', '\n')],
  ])('%j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  test("a fence without a language takes the organization's, an indented block does not", () => {
    const organization = { ...world, defaultCodeLanguage: 'javascript' };
    expect(render('```\nx\n```', organization).html).toContain('data-code-language="JavaScript"');
    expect(render('    x', organization).html).not.toContain('data-code-language');
    expect(render('```\nx\n```', { ...world, defaultCodeLanguage: 'text' }).html).not.toContain('data-code-language');
  });
});

describe('math', () => {
  test('is typeset inline and as a block, and its source can be read back', () => {
    expect(html('a $$x$$')).toMatch(
      /^<p>a <span class="katex"><span class="katex-mathml"><math.*<annotation encoding="application\/x-tex">x<\/annotation>/,
    );
    expect(html('```math\nx\n```')).toMatch(/^<p><span class="katex-display"><span class="katex">.*<\/span><\/p>$/);
  });

  test.each([
    ['$$\\nope{$$', p('<span class="tex-error">$$\\nope{$$</span>')],
    ['$5 and $6', p('$5 and $6')],
    ['a$$x$$', p('a$$x$$')],
    ['`$$x$$`', p('<code>$$x$$</code>')],
  ])('%j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  // Clients lay formulas out by these, and show TeX where they meet a class that they do not know.
  test('carries the class names that clients know', () => {
    const { html: out } = render('$$x$$', world);
    expect(out).toContain('<span class="base"><span class="strut" style="');
    expect(out).not.toMatch(/katex-(?:base|strut)/);
  });

  test('what KaTeX cannot measure is typeset, and not logged', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(html('$$😀$$')).toContain('katex');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test('formulas cannot make links or load anything', () => {
    const out = html('$$\\href{javascript:alert(1)}{x}$$ $$\\includegraphics{https://e.example/x.png}$$');
    expect(out).not.toMatch(/href=|<img|src=/);
  });
});

describe('emoji', () => {
  test.each([
    [':smile:', p(emoji('1f642', 'smile'))],
    ['a :slight_smile: b', p(`a ${emoji('1f642', 'slight_smile')} b`)],
    ['🎉❤️', p(emoji('1f389', 'tada') + emoji('2764', 'heart'))],
    ['🇺🇸', p(emoji('1f1fa-1f1f8', 'flag_united_states'))],
    ['👍🏽 → © 5', p('👍🏽 → © 5')],
    [':no_such_emoji: 10:30:45', p(':no_such_emoji: 10:30:45')],
    ['`:smile:`', p('<code>:smile:</code>')],
    [
      ':party_cat:',
      p('<img alt=":party_cat:" class="emoji" src="/user_avatars/2/emoji/images/7.png" title="party cat">'),
    ],
    [':)', p(':)')],
  ])('%j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  const smile = emoji('1f642', 'smile');
  const wink = emoji('1f609', 'wink');
  test.each([
    ['hi :) a:) ;)', `hi ${smile} a:) ${wink}`],
    [':).', `${smile}.`],
    ['so!:)?', `so!${smile}?`],
    ['[:)] [;)] ":)"', `[${smile}] [${wink}] "${smile}"`],
    ['x:)y 10:) http://e.example/:)', 'x:)y 10:) <a href="http://e.example/">http://e.example/</a>:)'],
    ['**:)** **a**:)', `<strong>${smile}</strong> <strong>a</strong>:)`],
    ['`:)`', '<code>:)</code>'],
  ])('emoticons become emoji for those who want it, where they are no part of a word: %j', (source, expected) => {
    expect(render(source, { ...world, translateEmoticons: true }).html).toBe(p(expected));
  });
});

describe('links', () => {
  test.each([
    ['https://e.example/a_b_*c', p('<a href="https://e.example/a_b_*c">https://e.example/a_b_*c</a>')],
    ['see example.com.', p('see <a href="http://example.com">example.com</a>.')],
    ['a@b.example.com', p('<a href="mailto:a@b.example.com">a@b.example.com</a>')],
    ['[x](example.com)', p('<a href="http://example.com">x</a>')],
    ['[x](/help "y")', p('<a href="/help" title="y">x</a>')],
    ['[x](//evil.example)', p('<a href="http://evil.example">x</a>')],
    ['https://chat.example.com/#narrow/dm/1', p('<a href="/#narrow/dm/1">https://chat.example.com/#narrow/dm/1</a>')],
    ['[x](https://chat.example.com//evil.example)', p('<a href="https://chat.example.com//evil.example">x</a>')],
    [
      'https://chat.example.com.evil.example/',
      p('<a href="https://chat.example.com.evil.example/">https://chat.example.com.evil.example/</a>'),
    ],
    ['[x](javascript:alert(1))', p('[x](javascript:alert(1))')],
    ['[x](JaVaScRiPt:alert(1))', p('[x](JaVaScRiPt:alert(1))')],
    ['[x](&#106;avascript:alert(1))', p('[x](javascript:alert(1))')],
    ['[x](data:text/html,y) [x](vbscript:y)', p('[x](data:text/html,y) [x](vbscript:y)')],
    ['![a](http://e.example/x.png)', p('<a href="http://e.example/x.png">a</a>')],
    ['README.md', p('README.md')],
    ['[](https://e.example/x)', p('<a href="https://e.example/x">https://e.example/x</a>')],
    ['[ ](</a b>)', p('<a href="/a%20b">/a%20b</a>')],
    ['[**](https://e.example/x)', p('<a href="https://e.example/x">**</a>')],
    ['[](https://chat.example.com/#a)', p('<a href="/#a">https://chat.example.com/#a</a>')],
    [
      '[x](foo/bar) [x](foo) [x](?q=1) [x]() [x](./y) [x](../y.z)',
      p('[x](foo/bar) [x](foo) [x](?q=1) [x]() [x](./y) [x](../y.z)'),
    ],
    ['[x](#a) [x](a@b)', p('<a href="#a">x</a> <a href="mailto:a@b">x</a>')],
    ['![x]() ![x](foo)', p('![x]() ![x](foo)')],
  ])('%j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  test('linkifiers match outside words, code and links', () => {
    const linkifiers = [{ pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://bugs.example.com/{id}' }];
    expect(render('#1, (#2) a#3 #4b `#5` [#6](/x)', { ...world, linkifiers }).html).toBe(
      p(
        '<a href="https://bugs.example.com/1">#1</a>, (<a href="https://bugs.example.com/2">#2</a>) a#3 #4b <code>#5</code> <a href="/x">#6</a>',
      ),
    );
  });

  test('a linkifier that matches plain text takes the message off the plain path', () => {
    const linkifiers = [{ pattern: 'ABC-(?P<id>[0-9]+)', urlTemplate: 'https://bugs.example.com/{id}' }];
    expect(render('ABC-12', { ...world, linkifiers })).toMatchObject({ plain: false, hasLink: true });
    expect(render('ABC 12', { ...world, linkifiers })).toMatchObject({ plain: true, hasLink: false });
  });
});

describe('uploads', () => {
  const preview =
    '<div class="message_inline_image"><a href="/user_uploads/2/ab/x.png" title="x"><img src="/user_uploads/2/ab/x.png"></a></div>';

  test.each([
    ['[x](/user_uploads/2/ab/x.png)', `${p('<a href="/user_uploads/2/ab/x.png">x</a>')}\n${preview}`],
    ['- [x](/user_uploads/2/ab/x.png)', `<ul>\n<li><a href="/user_uploads/2/ab/x.png">x</a>${preview}\n</li>\n</ul>`],
    [
      '> [x](/user_uploads/2/ab/x.png)',
      `<blockquote>\n${p('<a href="/user_uploads/2/ab/x.png">x</a>')}\n</blockquote>`,
    ],
    [
      'https://chat.example.com/user_uploads/2/ab/x.png',
      `${p('<a href="/user_uploads/2/ab/x.png">https://chat.example.com/user_uploads/2/ab/x.png</a>')}\n` +
        preview.replace('title="x"', 'title="x.png"'),
    ],
    [
      '[a *"b"*](/user_uploads/2/ab/x.png)',
      `${p('<a href="/user_uploads/2/ab/x.png">a <em>"b"</em></a>')}\n` +
        preview.replace('title="x"', 'title="a &quot;b&quot;"'),
    ],
    ['[x](/user_uploads/2/ab/x.pdf)', p('<a href="/user_uploads/2/ab/x.pdf">x</a>')],
    ['[x](/user_uploads/2/ab/x.svg)', p('<a href="/user_uploads/2/ab/x.svg">x</a>')],
    [
      '[x](/user_uploads/2/ab/x.mp4)',
      `${p('<a href="/user_uploads/2/ab/x.mp4">x</a>')}\n<div class="message_inline_image message_inline_video">` +
        '<a href="/user_uploads/2/ab/x.mp4" title="x"><video preload="metadata" src="/user_uploads/2/ab/x.mp4"></video></a></div>',
    ],
    [
      '![x](/user_uploads/2/ab/x.png)',
      p(
        '<img alt="x" class="inline-image" data-original-src="/user_uploads/2/ab/x.png" src="/user_uploads/2/ab/x.png">',
      ),
    ],
    [
      'a [*x* y](/user_uploads/2/ab/x.mp3) b',
      p('a <audio controls preload="metadata" src="/user_uploads/2/ab/x.mp3" title="x y"></audio> b'),
    ],
    [
      'https://chat.example.com/user_uploads/2/ab/x.ogg',
      p('<audio controls preload="metadata" src="/user_uploads/2/ab/x.ogg" title="x.ogg"></audio>'),
    ],
    [
      '[x](/user_uploads/2/ab/x.png) [y](/user_uploads/2/ab/x.png)\n\n/user_uploads/2/ab/x.png',
      `${p('<a href="/user_uploads/2/ab/x.png">x</a> <a href="/user_uploads/2/ab/x.png">y</a>')}\n${preview}\n${p('/user_uploads/2/ab/x.png')}`,
    ],
    [
      '> [x](/user_uploads/2/ab/x.mp3)',
      `<blockquote>\n${p('<a href="/user_uploads/2/ab/x.mp3">x</a>')}\n</blockquote>`,
    ],
    [
      '[@**Full Name**](/user_uploads/2/x.mp3)',
      p('<a href="/user_uploads/2/x.mp3"><span class="user-mention" data-user-id="12">@Full Name</span></a>'),
    ],
    [
      '![x](/user_uploads/2/ab/x.mp3)',
      p('<audio controls preload="metadata" src="/user_uploads/2/ab/x.mp3" title="x"></audio>'),
    ],
  ])('%j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  test('known facts of a picture are told', () => {
    const upload = () => ({
      contentType: 'image/png',
      width: 1920,
      height: 1080,
      thumbnailUrl: '/user_uploads/thumbnail/2/ab/x.png/840x560.webp',
    });
    expect(render('[x](/user_uploads/2/ab/x.png)', { ...world, upload }).html).toContain(
      '<img data-original-content-type="image/png" data-original-dimensions="1920x1080" src="/user_uploads/thumbnail/2/ab/x.png/840x560.webp">',
    );
  });

  test('references are collected, by relative and by absolute address, each once', () => {
    const content =
      '[a](/user_uploads/2/ab/x%20y.png) https://chat.example.com/user_uploads/2/cd/z.pdf [b](/user_uploads/2/ab/x%20y.png)';
    expect(render(content, world)).toMatchObject({
      uploads: ['2/ab/x y.png', '2/cd/z.pdf'],
      hasAttachment: true,
      hasImage: true,
      hasLink: true,
    });
  });

  test.each([
    '[a](/user_uploads/2/../x.png)',
    '[a](/user_uploads/2/%2e%2e/x.png)',
    '[a](https://e.example/user_uploads/2/x.png)',
    'x',
  ])('no attachment: %j', (content) => {
    expect(render(content, world)).toMatchObject({ uploads: [], hasAttachment: false });
  });
});

describe('time', () => {
  test.each([
    ['<time:2024-01-02T03:04:00+05:30>', p('<time datetime="2024-01-01T21:34:00Z">2024-01-02T03:04:00+05:30</time>')],
    ['<time:1704144840>', p('<time datetime="2024-01-01T21:34:00Z">1704144840</time>')],
    ['<time:2024-01-01T21:34:00>', p('<time datetime="2024-01-01T21:34:00Z">2024-01-01T21:34:00</time>')],
    ['<time:Jan 1 2024, 9:34 PM>', p('<time datetime="2024-01-01T21:34:00Z">Jan 1 2024, 9:34 PM</time>')],
    ['<time:tea & cake>', p('<span class="timestamp-error">Invalid time format: tea &amp; cake</span>')],
  ])('%j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });
});

test('descriptions render like messages, without previews', () => {
  expect(renderDescription('For **all**', world)).toBe(p('For <strong>all</strong>'));
  expect(renderDescription('[x](/user_uploads/2/ab/x.png)', world)).toBe(p('<a href="/user_uploads/2/ab/x.png">x</a>'));
  expect(renderDescription('', world)).toBe('');
});

test('text for alert words is what stands outside code, math and links', () => {
  const text = render(
    'word1 **word2** `word3` $$word4$$ [word5](/x) https://e.example/word6 @**Full Name**',
    world,
  ).textForAlertWords;
  expect(text.match(/word\d/g)).toEqual(['word1', 'word2']);
});
