import { Injectable } from '@nestjs/common';
import { Authenticator, type Caller, type SessionOfCaller } from '#http';
import type { User } from '#users/model';
import { DirectoryAuthenticator } from '#users';
import { SESSION_SECONDS, Sessions } from './sessions.js';

/** Authenticates callers by their API keys, and browsers by their sessions. */
@Injectable()
export class SessionAuthenticator extends Authenticator {
  constructor(
    private readonly keys: DirectoryAuthenticator,
    private readonly sessions: Sessions,
  ) {
    super();
  }

  override authenticate(loginName: string, apiKey: string): User {
    return this.keys.authenticate(loginName, apiKey);
  }

  override recognize(caller: Caller): User | undefined {
    return this.keys.recognize(caller);
  }

  override authenticateKey(apiKey: string): User {
    return this.keys.authenticateKey(apiKey);
  }

  override async authenticateSession(token: string): Promise<SessionOfCaller | undefined> {
    const session = await this.sessions.use(token);
    if (session === undefined) return undefined;
    return { caller: session.user, prolongedSeconds: session.isProlonged ? SESSION_SECONDS : undefined };
  }

  override isWriteOnly(caller: Caller): boolean {
    return this.keys.isWriteOnly(caller);
  }
}
