import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
import type { DefaultGroupRequest } from './default-groups.commands.js';
import { decideDefaultGroups } from './default-groups.decider.js';

/** Changes the organization's default channel groups. Resolves when clients are told. */
export class ChangeDefaultGroupsCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly asked: DefaultGroupRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeDefaultGroupsCommand)
export class ChangeDefaultGroupsHandler implements ICommandHandler<ChangeDefaultGroupsCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, asked }: ChangeDefaultGroupsCommand): Promise<void> {
    const at = this.clock.nowSeconds();
    await this.runner.runOn(this.directory, (directory) => ({
      events: decideDefaultGroups(directory, { ...asked, actor, at }),
    }));
  }
}
