import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { badRequest, Clock } from '#kernel';
import { Directory, type User } from '#organization';
import { presentActor } from '../accounts/accounts.access.js';
import { type AskedProfileValue, decideProfile } from './profile-data.decider.js';
import { ProfileRendering } from './profile-rendering.js';

/** Changes the actor's own profile (endpoints.md §7). */
export class ChangeOwnProfileCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly values: readonly AskedProfileValue[],
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST */
@CommandHandler(ChangeOwnProfileCommand)
export class ChangeOwnProfileHandler implements ICommandHandler<ChangeOwnProfileCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly rendering: ProfileRendering,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, values }: ChangeOwnProfileCommand): Promise<void> {
    if (actor.botType !== null) throw badRequest('This endpoint does not accept bot requests.');
    const change = { values, render: this.rendering.by(actor) };
    const at = this.clock.nowSeconds();
    await this.runner.runOn(this.directory, (directory) => {
      const user = presentActor(directory, actor.userId);
      return { events: decideProfile(directory, user, user, change, at) };
    });
  }
}
