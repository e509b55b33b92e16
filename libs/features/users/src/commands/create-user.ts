import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
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

@CommandHandler(CreateUserCommand)
export class CreateUserHandler implements ICommandHandler<CreateUserCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly passwords: Passwords,
    private readonly apiKeys: ApiKeys,
    private readonly clock: Clock,
    private readonly followUps: FollowUps,
  ) {}

  async execute({ actor, email, fullName, password }: CreateUserCommand): Promise<number> {
    const apiKeyHash = (userId: number): string => this.apiKeys.hashOf(this.apiKeys.keyOf(userId, 1));
    const at = this.clock.nowSeconds();
    const account = { type: 'create-user', actorId: actor.userId, email, fullName, apiKeyHash, at } as const;
    // What may not be done is refused before a password is hashed, which takes long.
    decideCreateUser(this.directory, { ...account, passwordHash: '' });
    this.passwords.assertAcceptable(password);
    const passwordHash = await this.passwords.hash(password);
    const { events, appended } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideCreateUser(directory, { ...account, passwordHash }),
    }));
    const created = events.find((event) => event.type === 'user.created.v1');
    if (created === undefined) throw new Error('The account was created without an event user.created.');
    await this.followUps.carryOut(streams.organization, appended, events);
    return created.data.userId;
  }
}
