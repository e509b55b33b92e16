import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
import type { PlaygroundRequest } from '../playgrounds/playgrounds.commands.js';
import { playgroundsDecider } from '../playgrounds/playgrounds.decider.js';
import type { PlaygroundEvent } from '../model/playgrounds/playground.events.js';
import { playgroundsPart } from '../model/playgrounds/playgrounds.part.js';

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
    const { events } = await this.runner.runOn(this.directory, (directory) => ({
      events: playgroundsDecider.decide(directory.of(playgroundsPart), { ...asked, actor, at }),
    }));
    return events;
  }
}
