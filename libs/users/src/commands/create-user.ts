import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '#kernel';
import { OrganizationWrites, type User } from '#organization';
import { ApiKeys } from '../api-keys.js';
import { Passwords } from '../passwords.js';
import { decideCreateUser } from '../users.decider.js';

/** Creates an account that can log in at once. Gives its user ID. */
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

@CommandHandler(CreateUserCommand)
export class CreateUserHandler implements ICommandHandler<CreateUserCommand> {
  constructor(
    private readonly writes: OrganizationWrites,
    private readonly passwords: Passwords,
    private readonly apiKeys: ApiKeys,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, email, fullName, password }: CreateUserCommand): Promise<number> {
    this.passwords.assertAcceptable(password);
    const passwordHash = await this.passwords.hash(password);
    const apiKeyHash = (userId: number): string => this.apiKeys.hashOf(this.apiKeys.keyOf(userId, 1));
    const at = this.clock.nowSeconds();
    const { events } = await this.writes.run((directory) =>
      decideCreateUser(directory, { type: 'create-user', actor, email, fullName, passwordHash, apiKeyHash, at }),
    );
    const created = events.find((event) => event.type === 'user.created.v1');
    if (created === undefined) throw new Error('An account was created without a fact that says so.');
    return created.data.userId;
  }
}
