import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock } from '#kernel';
import { Directory } from '#organization';
import type { AccountCommand } from '../accounts/accounts.commands.js';
import { decideAccount } from '../accounts/accounts.decider.js';

type WithoutTime<Timed> = Timed extends unknown ? Omit<Timed, 'at'> : never;

/** Changes an account, deactivates or reactivates it. */
export class RunAccountCommand extends Command<void> {
  constructor(readonly asked: WithoutTime<AccountCommand>) {
    super();
  }
}

@CommandHandler(RunAccountCommand)
export class RunAccountCommandHandler implements ICommandHandler<RunAccountCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
    private readonly followUps: FollowUps,
  ) {}

  async execute({ asked }: RunAccountCommand): Promise<void> {
    const command = { ...asked, at: this.clock.nowSeconds() };
    const { events, appended } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideAccount(directory, command),
    }));
    await this.followUps.carryOut(streams.organization, appended, events);
  }
}
