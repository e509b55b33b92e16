import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
import { type ChangeUserDefaults, decideUserDefaults } from '../user-defaults.decider.js';

/** Changes the personal settings that new users begin with. @throws Refusal as `decideUserDefaults` */
export class ChangeUserDefaultsCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly settings: ChangeUserDefaults['settings'],
  ) {
    super();
  }
}

@CommandHandler(ChangeUserDefaultsCommand)
export class ChangeUserDefaultsHandler implements ICommandHandler<ChangeUserDefaultsCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, settings }: ChangeUserDefaultsCommand): Promise<void> {
    const at = this.clock.nowSeconds();
    await this.runner.runOn(this.directory, (directory) => ({
      events: decideUserDefaults(directory, { type: 'change-user-defaults', actor, settings, at }),
    }));
  }
}
