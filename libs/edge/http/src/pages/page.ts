import { createHash } from 'node:crypto';
import { Html, html } from './html.js';

/** Colours of the chat page, to which the pages lead. */
const STYLE = [
  ':root{color-scheme:light dark;--ink:light-dark(#1e2228,#e3e1db);--muted:light-dark(#5c6169,#9da2a9);--line:light-dark(#8a8d92,#6b7077);',
  '--raised:light-dark(#fff,#1b1e23);--accent:light-dark(#006b6b,#70cdc7);--refused:light-dark(#9a2925,#fda19a);',
  'background:light-dark(#fbfaf7,#121417);color:var(--ink);accent-color:var(--accent)}',
  'body{max-width:28rem;margin:clamp(1.5rem,8vh,5rem) auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}',
  'h1{font-size:1.5rem;line-height:1.25;text-wrap:balance}',
  'a{color:var(--accent)}',
  'label{display:block;margin:1rem 0 .25rem;font-weight:600}',
  'label+p{margin:0 0 .25rem;font-size:.875rem;color:var(--muted)}',
  'input{box-sizing:border-box;width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;',
  'background:var(--raised);color:inherit;font:inherit}',
  'input[readonly]{background:none}',
  'input[aria-invalid]{border-color:var(--refused)}',
  'input[type=checkbox]{width:1.125rem;height:1.125rem;min-height:0;margin:0 .5rem 0 0;vertical-align:-.1875rem}',
  'fieldset{margin:1.5rem 0 0;padding:0 1rem 1rem;border:1px solid var(--line);border-radius:.5rem}',
  'legend{padding:0 .25rem}',
  'fieldset label{margin:.5rem 0 0}',
  'fieldset label+p{padding-inline-start:1.625rem}',
  'button{margin-top:1.5rem;min-height:2.75rem;padding:.5rem 1.25rem;border:1px solid var(--accent);border-radius:.5rem;',
  'background:var(--accent);color:light-dark(#fff,#0c1f1f);font:inherit;font-weight:600;cursor:pointer}',
  ':focus-visible{outline:2px solid var(--accent);outline-offset:2px}',
  '[role=alert]{margin:.5rem 0;border-inline-start:.25rem solid;padding-inline-start:.75rem;color:var(--refused)}',
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
