import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '#kernel';
import { assertUsableAccount, Directory, type User } from '#organization';
import { ApiKeys } from '../api-keys.js';
import { Passwords } from '../passwords.js';
import { ApiKeyIssuer } from './issue-api-key.js';

/** Returns the API key to a caller who knows the password. */
export class FetchApiKeyCommand extends Command<FetchedApiKey> {
  constructor(
    readonly username: string,
    readonly password: string,
  ) {
    super();
  }
}

export interface FetchedApiKey {
  readonly apiKey: string;
  readonly email: string;
  readonly userId: number;
}

@CommandHandler(FetchApiKeyCommand)
export class FetchApiKeyHandler implements ICommandHandler<FetchApiKeyCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly passwords: Passwords,
    private readonly apiKeys: ApiKeys,
    private readonly issuer: ApiKeyIssuer,
  ) {}

  async execute({ username, password }: FetchApiKeyCommand): Promise<FetchedApiKey> {
    const user = this.directory.userByEmail(username);
    const right = await this.passwords.verify(user?.passwordHash, password);
    if (user === undefined || !right) {
      throw new Refusal('AUTHENTICATION_FAILED', 'Your username or password is incorrect');
    }
    assertUsableAccount(this.directory, user);
    return { apiKey: await this.#currentKey(user), email: user.email, userId: user.userId };
  }

  /** The current key; after a change of the server's secret it cannot be derived again, so a new one is issued. */
  async #currentKey({ userId, apiKey }: User): Promise<string> {
    if (apiKey !== undefined) {
      const key = this.apiKeys.keyOf(userId, apiKey.generation);
      if (this.apiKeys.matches(key, apiKey.hash)) return key;
    }
    return this.issuer.issue(userId);
  }
}
