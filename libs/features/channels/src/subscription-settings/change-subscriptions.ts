import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
import { decideChangeSubscriptions, type WantedSetting } from './change-subscriptions.decider.js';

/** Changes settings of the actor's subscriptions. Resolves when clients are told. */
export class ChangeSubscriptionsCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly wanted: readonly WantedSetting[],
  ) {
    super();
  }
}

@CommandHandler(ChangeSubscriptionsCommand)
export class ChangeSubscriptionsHandler implements ICommandHandler<ChangeSubscriptionsCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, wanted }: ChangeSubscriptionsCommand): Promise<void> {
    const at = this.clock.nowSeconds();
    await this.runner.runOn(this.directory, (directory) => ({
      events: decideChangeSubscriptions(directory, { type: 'change-subscriptions', actor, wanted, at }),
    }));
  }
}
