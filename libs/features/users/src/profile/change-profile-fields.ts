import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type ProfileFieldEvent, type User } from '#organization';
import type { ProfileFieldRequest } from './profile-fields.commands.js';
import { decideProfileFields } from './profile-fields.decider.js';

/** Changes the fields of people's profiles. Resolves with the changes. */
export class ChangeProfileFieldsCommand extends Command<readonly ProfileFieldEvent[]> {
  constructor(
    readonly actor: User,
    readonly request: ProfileFieldRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeProfileFieldsCommand)
export class ChangeProfileFieldsHandler implements ICommandHandler<ChangeProfileFieldsCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, request }: ChangeProfileFieldsCommand): Promise<readonly ProfileFieldEvent[]> {
    const command = { ...request, actorId: actor.userId, at: this.clock.nowSeconds() };
    const { events } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideProfileFields(directory, command),
    }));
    return events;
  }
}
