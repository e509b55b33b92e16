import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '#kernel';
import { OrganizationWrites, type User } from '#organization';
import type { ChangeRealm } from '../realm.commands.js';
import { decideRealmChange } from '../realm.decider.js';

/** Changes settings and permissions of the organization. Resolves when everybody is under them. */
export class ChangeRealmCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly asked: Pick<ChangeRealm, 'settings' | 'permissions'>,
  ) {
    super();
  }
}

@CommandHandler(ChangeRealmCommand)
export class ChangeRealmHandler implements ICommandHandler<ChangeRealmCommand> {
  constructor(
    private readonly writes: OrganizationWrites,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, asked }: ChangeRealmCommand): Promise<void> {
    const at = this.clock.nowSeconds();
    await this.writes.run((directory) => decideRealmChange(directory, { type: 'change-realm', actor, ...asked, at }));
  }
}
