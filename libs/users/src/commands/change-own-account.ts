import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { badRequest, Clock } from '#kernel';
import { Directory, type User } from '#organization';
import { decideAccount } from '../accounts.decider.js';
import { Passwords } from '../passwords.js';

/** What a request changes of one's own account. Undefined stays as it is. */
export interface AskedOwnAccount {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
  readonly timezone?: string | undefined;
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
  ) {}

  async execute({ actor, asked }: ChangeOwnAccountCommand): Promise<void> {
    const { oldPassword, newPassword, ...changes } = asked;
    const at = this.clock.nowSeconds();
    const command = { type: 'change-own-account', actorId: actor.userId, at, ...changes } as const;
    // What cannot be done is refused before a password is checked, which takes long.
    decideAccount(this.directory, command);
    const passwordHash = newPassword === undefined ? undefined : await this.#hash(actor, oldPassword, newPassword);
    await this.runner.runOn(this.directory, (directory) => ({
      events: decideAccount(directory, { ...command, passwordHash }),
    }));
  }

  async #hash(actor: User, oldPassword = '', newPassword: string): Promise<string> {
    const stored = this.directory.user(actor.userId)?.passwordHash;
    if (!(await this.passwords.verify(stored, oldPassword))) throw badRequest('Wrong password!');
    this.passwords.assertStrong(newPassword, [actor.email, actor.fullName]);
    return this.passwords.hash(newPassword);
  }
}
