import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type PlaygroundEvent, type User } from '#organization';
import type { PlaygroundRequest } from '../playgrounds/playgrounds.commands.js';
import { playgroundsDecider } from '../playgrounds/playgrounds.decider.js';

/** Changes the organization's code playgrounds. Resolves to what changed, when clients know. */
export class ChangePlaygroundsCommand extends Command<readonly PlaygroundEvent[]> {
  constructor(
    readonly actor: User,
    readonly asked: PlaygroundRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangePlaygroundsCommand)
export class ChangePlaygroundsHandler implements ICommandHandler<ChangePlaygroundsCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, asked }: ChangePlaygroundsCommand): Promise<readonly PlaygroundEvent[]> {
    const at = this.clock.nowSeconds();
    const { events } = await this.runner.runOn(this.directory, ({ playgrounds }) => ({
      events: playgroundsDecider.decide(playgrounds, { ...asked, actor, at }),
    }));
    return events;
  }
}
