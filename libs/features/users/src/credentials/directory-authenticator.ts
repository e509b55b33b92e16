import { Injectable } from '@nestjs/common';
import { BOT_TYPE } from '#bots/model';
import { Authenticator, type Caller } from '#http';
import { Refusal } from '#kernel';
import { assertUsableAccount, Directory } from '#people';
import type { User } from '../model/user.js';
import { ApiKeys } from './api-keys.js';

/** Authenticates callers by their e-mail address and API key (rules.md §1). */
@Injectable()
export class DirectoryAuthenticator extends Authenticator {
  constructor(
    private readonly directory: Directory,
    private readonly apiKeys: ApiKeys,
  ) {
    super();
  }

  override authenticate(loginName: string, apiKey: string): User {
    if (!this.apiKeys.hasKeyShape(apiKey)) throw wrongKey();
    const user = this.directory.userByEmail(loginName) ?? this.directory.userByApiEmail(loginName);
    if (user?.apiKey === undefined) throw wrongKey();
    if (!this.apiKeys.matches(apiKey, user.apiKey.hash)) throw wrongKey();
    assertUsableAccount(this.directory, user);
    return user;
  }

  /** Records of users are replaced with each change, of their addresses and keys as well. */
  override recognize(caller: Caller): User | undefined {
    const user = this.directory.user(caller.userId);
    if (user === undefined || user !== caller) return undefined;
    assertUsableAccount(this.directory, user);
    return user;
  }

  override authenticateKey(apiKey: string): User {
    if (!this.apiKeys.hasKeyShape(apiKey)) throw wrongKey();
    const hash = this.apiKeys.hashOf(apiKey);
    // Keys cannot be guessed, so the time that the search takes reveals nothing. A large organization takes half a millisecond.
    for (const user of this.directory.users()) {
      if (user.apiKey?.hash !== hash) continue;
      assertUsableAccount(this.directory, user);
      return user;
    }
    throw wrongKey();
  }

  override isWriteOnly({ userId }: Caller): boolean {
    return this.directory.user(userId)?.botType === BOT_TYPE.incomingWebhook;
  }
}

function wrongKey(): Refusal {
  return new Refusal('INVALID_API_KEY', 'Invalid API key');
}
