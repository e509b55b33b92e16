import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ChangeSubscriptionsCommand } from '#channels';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
import { preferencesDecider } from '#preferences/model';

/** Turns off all mail about missed messages for a user who followed a link in one. */
export class UnsubscribeCommand extends Command<void> {
  constructor(readonly user: User) {
    super();
  }
}

const OFF = {
  enable_offline_email_notifications: false,
  enable_followed_topic_email_notifications: false,
  enable_stream_email_notifications: false,
} as const;

@CommandHandler(UnsubscribeCommand)
export class UnsubscribeHandler implements ICommandHandler<UnsubscribeCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly followUps: FollowUps,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async execute({ user }: UnsubscribeCommand): Promise<void> {
    const { userId } = user;
    const stream = streams.user(userId);
    const command = { type: 'change-settings', settings: OFF, userId, at: this.clock.nowSeconds() } as const;
    const { events, appended } = await this.runner.run(preferencesDecider, stream, command);
    await this.followUps.carryOut(stream, appended, events);
    const wanted = [...this.directory.subscriptionsOf(userId)]
      .filter(({ emailNotifications, active }) => active && emailNotifications === true)
      .map(({ channelId }) => ({ channelId, property: 'email_notifications', value: false }) as const);
    if (wanted.length > 0) await this.commands.execute(new ChangeSubscriptionsCommand(user, wanted));
  }
}
