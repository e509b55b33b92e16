import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
import type { LinkifierRequest } from '../linkifiers/linkifiers.commands.js';
import { linkifiersDecider } from '../linkifiers/linkifiers.decider.js';
import type { LinkifierEvent } from '../model/linkifiers/linkifier.events.js';
import { linkifiersPart } from '../model/linkifiers/linkifiers.part.js';

/** Changes the organization's linkifiers. Resolves with the changes, when they apply to messages and clients know. */
export class ChangeLinkifiersCommand extends Command<readonly LinkifierEvent[]> {
  constructor(
    readonly actor: User,
    readonly asked: LinkifierRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeLinkifiersCommand)
export class ChangeLinkifiersHandler implements ICommandHandler<ChangeLinkifiersCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, asked }: ChangeLinkifiersCommand): Promise<readonly LinkifierEvent[]> {
    const at = this.clock.nowSeconds();
    const { events } = await this.runner.runOn(this.directory, (directory) => ({
      events: linkifiersDecider.decide(directory.of(linkifiersPart), { ...asked, actor, at }),
    }));
    return events;
  }
}
