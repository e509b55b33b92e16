import { sessionIdOf } from '../http-origin.js';
import { type Cookies, SESSION_COOKIE } from './cookies.js';

/**
 * Name of the cookie by which scripts of the page tell one session from another: what the page keeps in the browser for times without
 * a connection is shown in the session that it was kept in alone. It opens nothing.
 */
const MARK_COOKIE = 'sessionmark';

/** Gives the browser a session, or a later end of the one that it has. */
export function keepSession(cookies: Cookies, token: string, seconds: number): void {
  cookies.set(SESSION_COOKIE, token, seconds);
  cookies.set(MARK_COOKIE, sessionIdOf(token), seconds, 'scripts');
}

export function dropSession(cookies: Cookies): void {
  cookies.remove(SESSION_COOKIE);
  cookies.remove(MARK_COOKIE);
}
