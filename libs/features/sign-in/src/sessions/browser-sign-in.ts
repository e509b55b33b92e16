import { Injectable } from '@nestjs/common';
import { type Cookies, CsrfToken, SESSION_COOKIE } from '#http';
import type { User } from '#organization';
import { type OpenSession, SESSION_SECONDS, Sessions } from './sessions.js';

/** Signs browsers in and out. Whoever uses one next shares neither the session nor the token of forms. */
@Injectable()
export class BrowserSignIn {
  constructor(private readonly sessions: Sessions) {}

  /** The browser's open session. */
  async session(cookies: Cookies): Promise<OpenSession | undefined> {
    const token = cookies.get(SESSION_COOKIE);
    return token === undefined ? undefined : this.sessions.find(token);
  }

  async signIn(cookies: Cookies, user: User): Promise<void> {
    await this.#endSession(cookies);
    cookies.set(SESSION_COOKIE, await this.sessions.begin(user), SESSION_SECONDS);
    CsrfToken.renew(cookies);
  }

  async signOut(cookies: Cookies): Promise<void> {
    await this.#endSession(cookies);
    cookies.remove(SESSION_COOKIE);
    CsrfToken.renew(cookies);
  }

  async #endSession(cookies: Cookies): Promise<void> {
    const token = cookies.get(SESSION_COOKIE);
    if (token !== undefined) await this.sessions.end(token);
  }
}
