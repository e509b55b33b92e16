import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret, Refusal } from '#kernel';
import type { EdgeRequest } from '../exchange.js';
import { type Html, html } from './html.js';
import { type Cookies, SESSION_COOKIE } from './cookies.js';

/** Token of a browser without a session. */
const COOKIE = 'csrftoken';
/** Name of the field in forms. */
export const CSRF_FIELD = 'csrfmiddlewaretoken';
const HEADER = 'x-csrftoken';
const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Proof that a form comes from a page of this server, in a hidden field: derived from the session of the browser, so that it holds in no
 * other one; without a session, the token of a cookie. Other sites can read neither.
 */
export class CsrfToken {
  private constructor(readonly value: string) {}

  /** The browser's token. A browser without session and token gets one with this answer. */
  static of(cookies: Cookies): CsrfToken {
    const known = tokenOf(cookies);
    if (known !== undefined) return new CsrfToken(known);
    const value = randomBytes(TOKEN_BYTES).toString('base64url');
    cookies.set(COOKIE, value);
    return new CsrfToken(value);
  }

  /** Field that every form needs. */
  get field(): Html {
    return html`<input type="hidden" name="${CSRF_FIELD}" value="${this.value}" />`;
  }
}

/**
 * @param given the token in the form, if any
 * @param siteUrl where clients reach the server
 * @throws Refusal CSRF_FAILED unless the request comes from a page of this server
 */
export function assertFromOwnPage(
  request: EdgeRequest,
  cookies: Cookies,
  given: string | undefined,
  siteUrl: string,
): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw failed();
  if (origin !== undefined && !isOwn(origin, request, siteUrl)) throw failed();
  const expected = tokenOf(cookies);
  const header = request.headers[HEADER];
  const token = given ?? (typeof header === 'string' ? header : undefined);
  if (expected === undefined || token === undefined || !isSameSecret(token, expected)) throw failed();
}

function tokenOf(cookies: Cookies): string | undefined {
  const session = cookies.get(SESSION_COOKIE) ?? '';
  if (session !== '') return createHmac('sha256', session).update('token of forms').digest('base64url');
  const token = cookies.get(COOKIE) ?? '';
  return TOKEN_SHAPE.test(token) ? token : undefined;
}

/** The site's own address, or the one that the browser has called, which a proxy may have replaced. */
function isOwn(origin: string, { protocol, headers }: EdgeRequest, siteUrl: string): boolean {
  // A page whose address must not be told has the origin `null`; the token decides.
  return origin === 'null' || origin === siteUrl || origin === `${protocol}://${headers.host ?? ''}`;
}

function failed(): Refusal {
  return new Refusal('CSRF_FAILED', 'This form has expired. Go back, load the page again, and send it again.');
}
