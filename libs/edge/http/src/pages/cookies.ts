import type { EdgeReply, EdgeRequest } from '../exchange.js';

/** Name of the cookie with the token of a browser's session. */
export const SESSION_COOKIE = 'sessionid';

/** A browser sends at most some 50 cookies a site; what is behind them is not read. */
const COOKIES_MAX = 100;

/**
 * Cookies of a request and its answer. All are `SameSite=Lax`, for the whole site, and `HttpOnly` unless scripts are to read them; over
 * https they are `Secure`, and their names begin with `__Host-`, so that no other host of the domain can set them.
 */
export class Cookies {
  /** What this answer sets, which holds from now on. */
  #set: Map<string, string> | undefined;

  constructor(
    private readonly request: EdgeRequest,
    private readonly reply: EdgeReply,
    private readonly isSecure: boolean,
  ) {}

  get(name: string): string | undefined {
    const set = this.#set?.get(name);
    if (set !== undefined) return set === '' ? undefined : set;
    return cookieIn(this.request.headers.cookie, nameOf(name, this.isSecure));
  }

  /**
   * @param maxAgeSeconds undefined until the browser ends
   * @param readers `scripts` for what is no secret
   */
  set(name: string, value: string, maxAgeSeconds?: number, readers: 'server' | 'scripts' = 'server'): void {
    this.#set ??= new Map();
    this.#set.set(name, value);
    const lifespan = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
    const secure = this.isSecure ? '; Secure' : '';
    const scope = readers === 'server' ? 'Path=/; HttpOnly' : 'Path=/';
    const cookie = `${nameOf(name, this.isSecure)}=${value}; ${scope}; SameSite=Lax${secure}${lifespan}`;
    const before = this.reply.getHeader('set-cookie');
    const others = before === undefined ? [] : [before].flat().map(String);
    this.reply.removeHeader('set-cookie');
    const start = cookie.slice(0, cookie.indexOf('=') + 1);
    void this.reply.header('set-cookie', [...others.filter((other) => !other.startsWith(start)), cookie]);
  }

  remove(name: string): void {
    this.set(name, '', 0);
  }
}

/** Value of a cookie in the header of a request. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';', COOKIES_MAX)) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

function nameOf(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}
