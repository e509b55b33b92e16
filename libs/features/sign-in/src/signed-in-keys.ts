import { Injectable } from '@nestjs/common';
import { knownAs, type Origin, Refusal } from '#kernel';
import { assertUsableAccount, Directory, type User } from '#organization';
import { ApiKeyIssuer } from '#users';

export interface SignedIn {
  readonly user: User;
  readonly apiKey: string;
}

/** Accounts of people whom a trusted system names by their e-mail addresses, with their API keys. */
@Injectable()
export class SignedInKeys {
  constructor(
    private readonly directory: Directory,
    private readonly keys: ApiKeyIssuer,
  ) {}

  /**
   * An account that can be used. Bots have their keys from their owners.
   * @throws Refusal AUTHENTICATION_FAILED, USER_DEACTIVATED, REALM_DEACTIVATED
   */
  account(email: string): User {
    const user = this.directory.userByEmail(email);
    if (user?.botType !== null) throw new Refusal('AUTHENTICATION_FAILED', 'Your username or password is incorrect');
    assertUsableAccount(this.directory, user);
    return user;
  }

  /** @throws Refusal AUTHENTICATION_FAILED, USER_DEACTIVATED, REALM_DEACTIVATED */
  async of(email: string, origin: Origin): Promise<SignedIn> {
    const user = this.account(email);
    return { user, apiKey: await this.keys.currentKey(user, knownAs(user, origin)) };
  }
}
