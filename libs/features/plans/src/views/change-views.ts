import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { Clock } from '#kernel';
import type { User } from '#organization';
import type { ViewRequest } from './views.commands.js';
import { viewsDecider } from './views.decider.js';

/** Changes the actor's own navigation views. @throws Refusal as `viewsDecider` */
export class ChangeViewsCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly request: ViewRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeViewsCommand)
export class ChangeViewsHandler implements ICommandHandler<ChangeViewsCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ actor: { userId }, request }: ChangeViewsCommand): Promise<void> {
    await this.runner.run(viewsDecider, streams.plans(userId), { ...request, userId, at: this.clock.nowSeconds() });
  }
}
