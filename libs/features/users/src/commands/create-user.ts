import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import { Clock } from '#kernel';
import { Directory } from '#people';
import type { User } from '../model/user.js';
import { ApiKeys } from '../credentials/api-keys.js';
import { Passwords } from '../credentials/passwords.js';
import { decideCreateUser } from '../users.decider.js';

/** Creates an account that can log in at once. Returns its user ID. */
export class CreateUserCommand extends Command<number> {
  constructor(
    readonly actor: User,
    readonly email: string,
    readonly fullName: string,
    readonly password: string,
  ) {
    super();
  }
}

export const createUser = command(
  CreateUserCommand,
  { directory: Directory, passwords: Passwords, apiKeys: ApiKeys, clock: Clock },
  async ({ actor, email, fullName, password }, { directory, passwords, apiKeys, clock }) => {
    const apiKeyHash = (userId: number): string => apiKeys.hashOf(apiKeys.keyOf(userId, 1));
    const account = { type: 'create-user', actorId: actor.userId, email, fullName, apiKeyHash } as const;
    // What may not be done is refused before a password is hashed, which takes long.
    decideCreateUser(directory, { ...account, passwordHash: '', at: clock.nowSeconds() });
    passwords.assertAcceptable(password);
    const passwordHash = await passwords.hash(password);
    return inOrganization((now, at) => decideCreateUser(now, { ...account, passwordHash, at })).answering(
      ({ events }) => {
        const created = events.find((event) => event.type === 'user.created.v1');
        if (created === undefined) throw new Error('The account was created without an event user.created.');
        return created.data.userId;
      },
    );
  },
);
