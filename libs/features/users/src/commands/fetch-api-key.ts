import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { knownAs, type Origin, Refusal } from '#kernel';
import { assertUsableAccount, Directory, Integrations } from '#organization';
import { Passwords } from '../credentials/passwords.js';
import { ApiKeyIssuer } from './issue-api-key.js';

/** Returns the API key to a caller who knows the password. */
export class FetchApiKeyCommand extends Command<FetchedApiKey> {
  constructor(
    readonly username: string,
    readonly password: string,
    readonly origin: Origin,
  ) {
    super();
  }
}

export interface FetchedApiKey {
  readonly apiKey: string;
  readonly email: string;
  readonly userId: number;
}

export const fetchApiKey = command(
  FetchApiKeyCommand,
  { directory: Directory, passwords: Passwords, integrations: Integrations, issuer: ApiKeyIssuer },
  async ({ username, password, origin }, { directory, passwords, integrations, issuer }) => {
    if (!integrations.allows(directory, 'Email'))
      throw new Refusal('PASSWORD_AUTH_DISABLED', 'Password authentication is disabled in this organization');
    const user = directory.userByEmail(username);
    const isRight = await passwords.verify(user?.passwordHash, password);
    if (user === undefined || !isRight)
      throw new Refusal('AUTHENTICATION_FAILED', 'Your username or password is incorrect');
    assertUsableAccount(directory, user);
    return { apiKey: await issuer.currentKey(user, knownAs(user, origin)), email: user.email, userId: user.userId };
  },
);
