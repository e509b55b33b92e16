import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '#kernel';
import { assertUsableAccount, Directory, Integrations } from '#organization';
import { Passwords } from '../credentials/passwords.js';
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
    private readonly integrations: Integrations,
    private readonly issuer: ApiKeyIssuer,
  ) {}

  async execute({ username, password }: FetchApiKeyCommand): Promise<FetchedApiKey> {
    if (!this.integrations.allows(this.directory, 'Email'))
      throw new Refusal('PASSWORD_AUTH_DISABLED', 'Password authentication is disabled in this organization');
    const user = this.directory.userByEmail(username);
    const right = await this.passwords.verify(user?.passwordHash, password);
    if (user === undefined || !right) {
      throw new Refusal('AUTHENTICATION_FAILED', 'Your username or password is incorrect');
    }
    assertUsableAccount(this.directory, user);
    return { apiKey: await this.issuer.currentKey(user), email: user.email, userId: user.userId };
  }
}
