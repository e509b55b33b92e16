import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { knownAs, type Origin, Refusal } from '#kernel';
import { assertUsableAccount, Directory } from '#people';
import { Integrations } from '#realm/model';
import { shownName, UseLog } from '#uses';
import { Passwords } from '../credentials/passwords.js';
import { ApiKeyIssuer } from './issue-api-key.js';

/** Returns the API key to a caller who knows the password. */
export class FetchApiKeyCommand extends Command<FetchedApiKey> {
  constructor(
    readonly username: string,
    readonly password: string,
    readonly origin: Origin,
    /** What the caller gets: the key itself, or the session of a browser. */
    readonly gets: 'key' | 'session',
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
  { directory: Directory, passwords: Passwords, integrations: Integrations, issuer: ApiKeyIssuer, uses: UseLog },
  async ({ username, password, origin, gets }, { directory, passwords, integrations, issuer, uses }) => {
    if (!integrations.allows(directory, 'Email'))
      throw new Refusal('PASSWORD_AUTH_DISABLED', 'Password authentication is disabled in this organization');
    const user = directory.userByEmail(username);
    const isRight = await passwords.verify(user?.passwordHash, password);
    const account = user === undefined ? { name: shownName(username) } : { userId: user.userId };
    if (user === undefined || !isRight) {
      uses.note({ kind: 'sign-in-failed', how: 'password', ...account, origin });
      throw new Refusal('AUTHENTICATION_FAILED', 'Your username or password is incorrect');
    }
    try {
      assertUsableAccount(directory, user);
    } catch (error) {
      uses.note({ kind: 'sign-in-failed', how: 'password', ...account, origin });
      throw error;
    }
    const acting = knownAs(user, origin);
    const apiKey = await issuer.currentKey(user, acting);
    // Who is signed in already sees the key again.
    const kind = origin.by.kind === 'visitor' ? 'signed-in' : 'key-seen';
    if (gets === 'key') uses.note({ kind, how: 'password', key: issuer.generationOf(user), origin: acting });
    return { apiKey, email: user.email, userId: user.userId };
  },
);
