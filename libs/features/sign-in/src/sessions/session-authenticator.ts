import { Injectable } from '@nestjs/common';
import { Authenticator, type Caller } from '#http';
import type { User } from '#organization';
import { DirectoryAuthenticator } from '#users';
import { Sessions } from './sessions.js';

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

  override authenticateKey(apiKey: string): User {
    return this.keys.authenticateKey(apiKey);
  }

  override authenticateSession(token: string): Promise<User | undefined> {
    return this.sessions.userOf(token);
  }

  override isWriteOnly(caller: Caller): boolean {
    return this.keys.isWriteOnly(caller);
  }
}
