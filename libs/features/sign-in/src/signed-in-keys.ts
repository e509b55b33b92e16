import { Injectable } from '@nestjs/common';
import { knownAs, type Origin, Refusal } from '#kernel';
import { assertUsableAccount, Directory } from '#people';
import type { User } from '#users/model';
import { ApiKeyIssuer } from '#users';
import { shownName, UseLog } from '#uses';

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
    private readonly uses: UseLog,
  ) {}

  /**
   * An account that can be used. Bots have their keys from their owners.
   * @throws Refusal AUTHENTICATION_FAILED, USER_DEACTIVATED, REALM_DEACTIVATED
   */
  account(email: string, origin: Origin, how: string): User {
    const user = this.#named(email);
    try {
      if (user?.botType !== null) throw new Refusal('AUTHENTICATION_FAILED', 'Your username or password is incorrect');
      assertUsableAccount(this.directory, user);
      return user;
    } catch (error) {
      const account = user === undefined ? { name: shownName(email) } : { userId: user.userId };
      this.uses.note({ kind: 'sign-in-failed', how, ...account, origin });
      throw error;
    }
  }

  /**
   * The account of the address, regardless of case. Lower case turns the Kelvin sign into a k, so that somebody else's
   * mailbox would open the account; upper case does not.
   */
  #named(email: string): User | undefined {
    const user = this.directory.userByEmail(email);
    return user?.email.toUpperCase() === email.toUpperCase() ? user : undefined;
  }

  /** @throws Refusal AUTHENTICATION_FAILED, USER_DEACTIVATED, REALM_DEACTIVATED */
  async of(email: string, origin: Origin, how: string): Promise<SignedIn> {
    const user = this.account(email, origin, how);
    const acting = knownAs(user, origin);
    const apiKey = await this.keys.currentKey(user, acting);
    this.uses.note({ kind: 'signed-in', how, key: this.keys.generationOf(user), origin: acting });
    return { user, apiKey };
  }
}
