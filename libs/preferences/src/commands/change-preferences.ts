import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandPath, streams } from '#event-store';
import { Clock } from '#kernel';
import { preferencesDecider, type PreferencesCommand, type User } from '#organization';

type WithoutEnvelope<Asked> = Asked extends unknown ? Omit<Asked, 'userId' | 'at'> : never;

/** What somebody wants to change of their own preferences. */
export type PreferencesWish = WithoutEnvelope<PreferencesCommand>;

/** Changes the actor's own preferences. @throws Refusal as `preferencesDecider` */
export class ChangePreferencesCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly wish: PreferencesWish,
  ) {
    super();
  }
}

@CommandHandler(ChangePreferencesCommand)
export class ChangePreferencesHandler implements ICommandHandler<ChangePreferencesCommand> {
  constructor(
    private readonly path: CommandPath,
    private readonly clock: Clock,
  ) {}

  async execute({ actor: { userId }, wish }: ChangePreferencesCommand): Promise<void> {
    const command: PreferencesCommand = { ...wish, userId, at: this.clock.nowSeconds() };
    await this.path.run(preferencesDecider, streams.user(userId), command);
  }
}
