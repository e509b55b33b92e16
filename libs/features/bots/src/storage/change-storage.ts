import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { Clock } from '#kernel';
import type { User } from '#organization';
import { type RemoveStorage, type SetStorage, storageDecider } from './storage.decider.js';

/** Changes what the actor keeps on the server. @throws Refusal as `storageDecider` */
export class ChangeStorageCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly request: Omit<SetStorage, 'userId' | 'at'> | Omit<RemoveStorage, 'userId' | 'at'>,
  ) {
    super();
  }
}

@CommandHandler(ChangeStorageCommand)
export class ChangeStorageHandler implements ICommandHandler<ChangeStorageCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ actor: { userId }, request }: ChangeStorageCommand): Promise<void> {
    const command = { ...request, userId, at: this.clock.nowSeconds() };
    await this.runner.run(storageDecider, streams.botStorage(userId), command);
  }
}
