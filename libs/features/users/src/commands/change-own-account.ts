import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { badRequest, Clock } from '#kernel';
import { Directory, type User } from '#organization';
import { decideAccount } from '../accounts/accounts.decider.js';
import { Passwords } from '../credentials/passwords.js';

/** What a request changes of one's own account. Undefined stays as it is. */
export interface AskedOwnAccount {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
  readonly timezone?: string | undefined;
  readonly emailVisibility?: number | undefined;
  readonly oldPassword?: string | undefined;
  readonly newPassword?: string | undefined;
}

/** Changes the actor's own account (endpoints.md §7, PATCH /settings). API keys stay. */
export class ChangeOwnAccountCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly asked: AskedOwnAccount,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST */
@CommandHandler(ChangeOwnAccountCommand)
export class ChangeOwnAccountHandler implements ICommandHandler<ChangeOwnAccountCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly passwords: Passwords,
    private readonly clock: Clock,
    private readonly followUps: FollowUps,
  ) {}

  async execute({ actor, asked }: ChangeOwnAccountCommand): Promise<void> {
    const { oldPassword, newPassword, ...changes } = asked;
    const at = this.clock.nowSeconds();
    const command = { type: 'change-own-account', actorId: actor.userId, at, ...changes } as const;
    // What cannot be done is refused before a password is checked, which takes long.
    decideAccount(this.directory, command);
    const passwordHash = newPassword === undefined ? undefined : await this.#hash(actor, oldPassword, newPassword);
    const { events, appended } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideAccount(directory, { ...command, passwordHash }),
    }));
    await this.followUps.carryOut(streams.organization, appended, events);
  }

  async #hash(actor: User, oldPassword = '', newPassword: string): Promise<string> {
    const stored = this.directory.user(actor.userId)?.passwordHash;
    if (!(await this.passwords.verify(stored, oldPassword))) throw badRequest('Wrong password!');
    this.passwords.assertStrong(newPassword, [actor.email, actor.fullName]);
    return this.passwords.hash(newPassword);
  }
}
