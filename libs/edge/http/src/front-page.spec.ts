import { acceptsHtml, renderFrontPage } from './front-page.js';

const page = { name: 'Acme', siteUrl: 'https://acme.test', complaint: undefined, credentialsFile: 'owner.zuliprc' };

test('a name is shown as text, also with markup in it', () => {
  const html = renderFrontPage({ ...page, name: `<script>alert("1")</script> & 'co'` }, '/docs');
  expect(html).toContain('<h1>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;co&#39;</h1>');
  expect(html).not.toContain('<script');
});

test.each([
  ['Acme', 'Acme – Scrollback'],
  ['Scrollback', 'Scrollback'],
])('the title of %s is %s', (name, title) => {
  expect(renderFrontPage({ ...page, name }, '/docs')).toContain(`<title>${title}</title>`);
});

test('people are told first how to get to the chat without a page for it, operators how to build one', () => {
  const words = renderFrontPage(page, '/docs').replace(/\s+/g, ' ');
  expect(words).toMatch(
    /the address of the server is https:\/\/acme\.test\. Log in there .*For those who run the server.*npm run build.*owner\.zuliprc/,
  );
  expect(words).not.toContain('in a browser and sign in');
});

test('a server that is not ready says why', () => {
  const html = renderFrontPage({ ...page, complaint: 'The event log cannot be written.' }, '/docs');
  expect(html).toContain('The server is not ready: The event log cannot be written.');
  expect(html).not.toContain('The server is ready.');
});

test.each([
  ['text/html', true],
  ['application/json, TEXT/HTML ; q=0.5', true],
  ['text/html;q=0.0', false],
  ['*/*', false],
  ['text/*', false],
  ['text/html-fragment', false],
  [undefined, false],
])('Accept: %s', (accept, expected) => {
  expect(acceptsHtml(accept)).toBe(expected);
});
