import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
import type { ChangeRealm } from '../realm.commands.js';
import { decideRealmChange } from '../realm.decider.js';

/** Changes settings and permissions of the organization. Resolves when they are in effect. */
export class ChangeRealmCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly asked: Pick<ChangeRealm, 'settings' | 'permissions' | 'address'>,
  ) {
    super();
  }
}

@CommandHandler(ChangeRealmCommand)
export class ChangeRealmHandler implements ICommandHandler<ChangeRealmCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, asked }: ChangeRealmCommand): Promise<void> {
    const at = this.clock.nowSeconds();
    await this.runner.runOn(this.directory, (directory) => ({
      events: decideRealmChange(directory, { type: 'change-realm', actor, ...asked, at }),
    }));
  }
}
