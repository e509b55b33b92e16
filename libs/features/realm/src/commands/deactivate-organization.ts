import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
import { decideDeactivation } from '../deactivation.decider.js';

/** Ends all access to the organization. Resolves when it has ended. @throws Refusal as `decideDeactivation` */
export class DeactivateOrganizationCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly deletionDelayDays: number | null,
  ) {
    super();
  }
}

@CommandHandler(DeactivateOrganizationCommand)
export class DeactivateOrganizationHandler implements ICommandHandler<DeactivateOrganizationCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  async execute({ actor: { userId: actorId }, deletionDelayDays }: DeactivateOrganizationCommand): Promise<void> {
    const command = {
      type: 'deactivate-organization',
      actorId,
      deletionDelayDays,
      at: this.clock.nowSeconds(),
    } as const;
    await this.runner.runOn(this.directory, (directory) => ({ events: decideDeactivation(directory, command) }));
  }
}
