import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { LoginAttempts } from '#http';
import { Clock, Refusal } from '#kernel';
import { Directory } from '#organization';
import { deadLink } from '#pages';
import { ApiKeys } from '../credentials/api-keys.js';
import { Passwords } from '../credentials/passwords.js';
import { decideConfirm, decideReset, resettable } from './account-links.decider.js';
import { AccountLinks } from './account-links.js';

/** Sets a new password by the link of a mail. Resolves to why the password is not acceptable, or undefined. */
export class ResetPasswordCommand extends Command<string | undefined> {
  constructor(
    readonly key: string,
    readonly password: string,
    /** Whether clients that are logged in are logged out: they get another API key only with the new password. */
    readonly logsOut: boolean,
  ) {
    super();
  }
}

/** @throws Refusal NOT_FOUND */
@CommandHandler(ResetPasswordCommand)
export class ResetPasswordHandler implements ICommandHandler<ResetPasswordCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly links: AccountLinks,
    private readonly passwords: Passwords,
    private readonly apiKeys: ApiKeys,
    private readonly attempts: LoginAttempts,
    private readonly clock: Clock,
  ) {}

  async execute({ key, password, logsOut }: ResetPasswordCommand): Promise<string | undefined> {
    const at = this.clock.nowSeconds();
    const link = this.links.readReset(key, at);
    const user = link && resettable(this.directory, link);
    if (link === undefined || user === undefined) throw deadLink();
    try {
      this.passwords.assertStrong(password, [user.email, user.fullName]);
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      throw error;
    }
    const passwordHash = await this.passwords.hash(password);
    const keyHash = (id: number, generation: number): string => this.apiKeys.hashOf(this.apiKeys.keyOf(id, generation));
    const command = { link, passwordHash, apiKeyHash: logsOut ? keyHash : undefined, at };
    await this.runner.runOn(this.directory, (directory) => ({ events: decideReset(directory, command) }));
    this.attempts.forget(user.email);
    return undefined;
  }
}

/** Gives an account the address that the link of a mail confirms. */
export class ConfirmEmailCommand extends Command<void> {
  constructor(readonly key: string) {
    super();
  }
}

/** @throws Refusal NOT_FOUND, BAD_REQUEST */
@CommandHandler(ConfirmEmailCommand)
export class ConfirmEmailHandler implements ICommandHandler<ConfirmEmailCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly links: AccountLinks,
    private readonly clock: Clock,
    private readonly followUps: FollowUps,
  ) {}

  async execute({ key }: ConfirmEmailCommand): Promise<void> {
    const at = this.clock.nowSeconds();
    const link = this.links.readConfirm(key, at);
    if (link === undefined) throw deadLink();
    const { events, appended } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideConfirm(directory, link, at),
    }));
    await this.followUps.carryOut(streams.organization, appended, events);
  }
}
