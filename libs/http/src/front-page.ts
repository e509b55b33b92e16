import { createHash } from 'node:crypto';

/** What the page at `/` tells a person. All of it may be known to strangers. */
export interface FrontPage {
  /** Name of the organization. */
  readonly name: string;
  /** Why the server is not ready; undefined when it is. */
  readonly complaint: string | undefined;
  /** Name, without its folder, of the file with the owner's credentials. */
  readonly credentialsFile: string;
}

const STYLE =
  ':root{color-scheme:light dark}body{max-width:40rem;margin:3rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}';

/** Nothing runs, loads or frames; the one style sheet is known by its hash. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const FRONT_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
};

/** @param docsPath path of the page that documents the interface */
export function renderFrontPage({ name, complaint, credentialsFile }: FrontPage, docsPath: string): string {
  const state = complaint === undefined ? 'The server is ready.' : `The server is not ready: ${escaped(complaint)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name)} – Scrollback</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(name)}</h1>
<p>This is Scrollback, a team-chat server. It has no web app of its own: connect with a chat client, by this address.</p>
<p role="status">${state}</p>
<h2>Where to go</h2>
<ul>
<li><a href="${escaped(docsPath)}">Documentation of the interface</a> (OpenAPI)</li>
<li>The owner’s e-mail address and API key are in the file <code>${escaped(credentialsFile)}</code>, in the data directory on the server. Command-line clients take it as it is.</li>
</ul>
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Whether the Accept header names HTML, as browsers do; wildcards alone are what API clients send. */
export function acceptsHtml(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
