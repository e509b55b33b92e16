import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock } from '#kernel';
import { preferencesDecider, type PreferencesCommand, type User } from '#organization';

type WithoutEnvelope<Asked> = Asked extends unknown ? Omit<Asked, 'userId' | 'at'> : never;

/** A change of the user's own preferences. */
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
    private readonly runner: CommandRunner,
    private readonly followUps: FollowUps,
    private readonly clock: Clock,
  ) {}

  async execute({ actor: { userId }, wish }: ChangePreferencesCommand): Promise<void> {
    const command: PreferencesCommand = { ...wish, userId, at: this.clock.nowSeconds() };
    const stream = streams.user(userId);
    const { events, appended } = await this.runner.run(preferencesDecider, stream, command);
    await this.followUps.carryOut(stream, appended, events);
  }
}
