import { createHash } from 'node:crypto';
import { Html, html } from './html.js';

const STYLE = [
  ':root{color-scheme:light dark;background:Canvas;color:CanvasText}',
  'body{max-width:40rem;margin:3rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}',
  'label{display:block;margin:1rem 0 .25rem}',
  'input{box-sizing:border-box;width:100%;padding:.5rem;font:inherit}',
  'input[type=checkbox]{width:auto}',
  'button{margin-top:1rem;padding:.5rem 1rem;font:inherit}',
  '[role=alert]{border-inline-start:.25rem solid;padding-inline-start:.75rem}',
].join('');
/** Style element of every page. Built without a template, which would escape the style sheet. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing runs, loads or frames; the one style sheet is known by its hash. Forms go to this server alone. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  // Addresses of pages may contain keys.
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** A page for people, as the result of a controller's method below `@Page`. */
export class PageReply {
  /** @param title plain text */
  constructor(
    readonly title: string,
    readonly body: Html,
    readonly status = 200,
  ) {}

  render(): string {
    return documentOf(this.title, this.body);
  }
}

/** Sends the browser to another address, by GET. The result of a controller's method below `@Page`. */
export class RedirectReply {
  constructor(readonly location: string) {}
}

/** What a person is told when a page cannot be shown. */
export function failurePage(message: string): string {
  return documentOf('This did not work', html`<p role="alert">${message}</p>`);
}

const WAITING_SECONDS = 2;

/** What a person sees while a server starts: the page asks again by itself. */
export function waitingPage(message: string): string {
  const again = html`<meta http-equiv="refresh" content="${String(WAITING_SECONDS)}" />`;
  const body = html`<p role="status">${message} This page goes on by itself.</p>`;
  return documentOf('One moment', body, 'One moment', again);
}

/** A whole document with the style sheet that the content security policy allows. */
export function documentOf(title: string, body: Html, heading = title, head = html``): string {
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${head} ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${heading}</h1>
          ${body}
        </main>
      </body>
    </html> `;
  return markup;
}
