import { Injectable } from '@nestjs/common';
import { type Cookies, dropSession, keepSession, SESSION_COOKIE, sessionIdOf } from '#http';
import { knownAs, type Origin } from '#kernel';
import type { User } from '#users/model';
import { UseLog } from '#uses';
import { type OpenSession, SESSION_SECONDS, Sessions } from './sessions.js';

/** Signs browsers in and out. The next user of a browser shares neither the session nor the token of forms, which is derived from it. */
@Injectable()
export class BrowserSignIn {
  constructor(
    private readonly sessions: Sessions,
    private readonly uses: UseLog,
  ) {}

  /** The browser's open session. */
  async session(cookies: Cookies): Promise<OpenSession | undefined> {
    const token = cookies.get(SESSION_COOKIE);
    return token === undefined ? undefined : this.sessions.find(token);
  }

  /** @param how by which means, for the log */
  async signIn(cookies: Cookies, user: User, origin: Origin, how: string): Promise<void> {
    await this.#endSession(cookies);
    const token = await this.sessions.begin(user);
    keepSession(cookies, token, SESSION_SECONDS);
    this.uses.note({ kind: 'signed-in', how, session: sessionIdOf(token), origin: knownAs(user, origin) });
  }

  async signOut(cookies: Cookies, origin: Origin): Promise<void> {
    const [token, session] = [cookies.get(SESSION_COOKIE), await this.session(cookies)];
    if (token !== undefined && session !== undefined)
      this.uses.note({ kind: 'signed-out', session: sessionIdOf(token), origin: knownAs(session.user, origin) });
    await this.#endSession(cookies);
    dropSession(cookies);
  }

  async #endSession(cookies: Cookies): Promise<void> {
    const token = cookies.get(SESSION_COOKIE);
    if (token !== undefined) await this.sessions.end(token);
  }
}
