import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { Clock } from '#kernel';
import type { User } from '#organization';
import type { SnippetRequest } from './snippets.commands.js';
import { snippetsDecider } from './snippets.decider.js';
import type { SnippetEvent } from './snippets.events.js';

/** Changes the actor's saved snippets; resolves to the recorded events. @throws Refusal as `snippetsDecider` */
export class ChangeSnippetsCommand extends Command<readonly SnippetEvent[]> {
  constructor(
    readonly actor: User,
    readonly request: SnippetRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeSnippetsCommand)
export class ChangeSnippetsHandler implements ICommandHandler<ChangeSnippetsCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ actor: { userId }, request }: ChangeSnippetsCommand): Promise<readonly SnippetEvent[]> {
    const command = { ...request, userId, at: this.clock.nowSeconds() };
    const { events } = await this.runner.run(snippetsDecider, streams.plans(userId), command);
    return events;
  }
}
