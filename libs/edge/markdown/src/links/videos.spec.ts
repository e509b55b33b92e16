import fc from 'fast-check';
import { rounds } from '#testing';
import { htmlProblem } from '../html-checker.fixture.js';
import { render, renderDescription } from '../index.js';
import { world } from '../world.fixture.js';

const html = (content: string): string => render(content, world).html;
const p = (inner: string): string => `<p>${inner}</p>`;
const link = (href: string, shown = href): string => p(`<a href="${href}">${shown}</a>`);
const file = (href: string, title: string): string =>
  `<div class="message_inline_image message_inline_video"><a href="${href}" title="${title}"><video preload="metadata" src="${href}"></video></a></div>`;
const tube = (href: string, id: string): string =>
  `<div class="youtube-video message_inline_image"><a data-id="${id}" href="${href}"><img src="https://i.ytimg.com/vi/${id}/mqdefault.jpg"></a></div>`;
const vimeo = (href: string, video: string): string =>
  `<div class="embed-video message_inline_image"><a data-id="&lt;iframe src=&quot;https://player.vimeo.com/video/${video}&quot; width=&quot;640&quot; height=&quot;360&quot; ` +
  `allow=&quot;autoplay; fullscreen; picture-in-picture&quot;&gt;&lt;/iframe&gt;" href="${href}"><img src="/static/video.png"></a></div>`;
const ID = 'dQ-4w9W_gXc';
/** As many as pictures. */
const PREVIEWS_MAX = 24;

test.each([
  `https://www.youtube.com/watch?v=${ID}`,
  `https://m.youtube.com/watch?t=4s&v=${ID}`,
  `https://music.youtube.com/watch?v=${ID}&list=x`,
  `https://youtu.be/${ID}?si=abc#t`,
  `http://youtube.com/shorts/${ID}`,
  `https://www.youtube.com/live/${ID}/`,
  `https://www.youtube-nocookie.com/embed/${ID}`,
])('of YouTube: %s', (href) => {
  const written = href.replaceAll('&', '&amp;');
  expect(html(href)).toBe(`${link(written)}\n${tube(written, ID)}`);
});

test.each([
  ['https://vimeo.com/1084537', '1084537'],
  ['https://www.vimeo.com/1084537/?share=copy', '1084537'],
  ['https://vimeo.com/1084537/0a1b2c', '1084537?h=0a1b2c'],
  ['https://vimeo.com/channels/staff-picks/1084537', '1084537'],
  ['https://vimeo.com/groups/some/videos/1084537', '1084537'],
  ['https://player.vimeo.com/video/1084537', '1084537'],
])('of Vimeo: %s', (href, video) => {
  expect(html(href)).toBe(`${link(href)}\n${vimeo(href, video)}`);
});

test.each([
  ['https://e.example/a/b.mp4', 'b.mp4'],
  ['http://e.example/b.WEBM?x=1#t=3', 'b.WEBM'],
  ['https://e.example:8080/%22.mov', '%22.mov'],
])('that are files: %s', (href, title) => {
  expect(html(href)).toBe(`${link(href)}\n${file(href, title)}`);
  expect(html(`[a "b"](${href})`)).toBe(`${link(href, 'a "b"')}\n${file(href, 'a &quot;b&quot;')}`);
});

test.each([
  'https://www.youtube.com/',
  'https://www.youtube.com/@someone',
  'https://www.youtube.com/watch?v=short',
  `https://www.youtube.com/watch?v=${ID}x`,
  `https://www.youtube.com.e.example/watch?v=${ID}`,
  `https://notyoutube.com/watch?v=${ID}`,
  `https://e.example/https://youtu.be/${ID}`,
  'https://vimeo.com/about',
  'https://vimeo.com/1084537/more',
  'https://vimeo.com.e.example/1084537',
  'https://clips.mov',
  'https://clips.mov/',
  'https://e.example/a.mp4/page',
  'https://e.example/?x=a.mp4',
  'https://e.example/a.mp4x',
  'ftp://e.example/a.mp4',
  'https://e.example/a.png',
])('there is none: %s', (href) => {
  expect(html(href)).toBe(link(href));
});

test('not in quotes and descriptions, once each, and where the organization wants previews', () => {
  const [first, second] = [`https://youtu.be/${ID}`, 'https://e.example/b.mp4'];
  expect(html(`> ${first}`)).not.toContain('<div');
  expect(renderDescription(first, world)).toBe(link(first));
  expect(render(first, { ...world, inlinePreviews: false }).html).toBe(link(first));
  expect(html(`[a](${first}) [b](${first}) [c](${second})`)).toBe(
    `${p(`<a href="${first}">a</a> <a href="${first}">b</a> <a href="${second}">c</a>`)}\n${tube(first, ID)}\n${file(second, 'c')}`,
  );
  expect(render(first, world)).toMatchObject({ hasImage: true, hasLink: true, uploads: [], hasAttachment: false });
});

test('no more than previews of uploads, and together with them', () => {
  const links = Array.from({ length: 30 }, (_, n) => [
    `https://vimeo.com/${n + 1}`,
    `https://e.example/${n}.mp4`,
    `[x](/user_uploads/2/${n}.png)`,
  ]).flat();
  expect(html(links.join(' ')).split('<div class=').length - 1).toBe(PREVIEWS_MAX);
});

test('any address has at most one preview, of harmless HTML, which shows no other video', () => {
  const part = fc.stringMatching(/^[\w&=?#/%.:;+@~"-]{0,12}$/);
  const id = fc.stringMatching(/^[\w-]{11}$/);
  const address = fc.tuple(
    fc.constantFrom('https://youtu.be/', 'https://www.youtube.com/watch?', 'https://vimeo.com/', 'https://e.example/'),
    part,
    fc.oneof(
      id,
      id.map((one) => `v=${one}`),
      fc.nat().map(String),
      fc.constantFrom('a.mp4', 'b.mov'),
    ),
    part,
  );
  fc.assert(
    fc.property(fc.array(address, { maxLength: 40 }), (addresses) => {
      const hrefs = addresses.map((pieces) => pieces.join(''));
      const { html: shown } = render(hrefs.join(' '), world);
      expect(htmlProblem(shown)).toBeUndefined();
      const previews = [...shown.matchAll(/<div class="[^"]*message_inline_image[^"]*"><a [^>]*href="([^"]*)"/g)];
      expect(previews.length).toBeLessThanOrEqual(PREVIEWS_MAX);
      expect(new Set(previews.map(([, href]) => href)).size).toBe(previews.length);
      for (const [, shownId = ''] of shown.matchAll(/i\.ytimg\.com\/vi\/([^"]*)\/mqdefault/g))
        expect(hrefs.some((href) => href.includes(shownId) && shownId.length === ID.length)).toBe(true);
    }),
    { numRuns: rounds(200) },
  );
});
