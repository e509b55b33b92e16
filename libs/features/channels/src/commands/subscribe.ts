import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock, nextSlice } from '#kernel';
import { Directory, Site, type User } from '#organization';
import type { ChannelSettings } from '../channel-settings.js';
import { MANY_PRINCIPALS } from '../principals.js';
import { decideSubscribe, type NoticeWishes, type Subscribed } from '../subscribe.decider.js';
import { type NamedChannel, wantedChannels } from './wanted-channels.js';

/** Subscribes users to channels by name, and creates those that do not exist. */
export class SubscribeCommand extends Command<Subscribed> {
  constructor(
    readonly actor: User,
    readonly subscriptions: readonly NamedChannel[],
    readonly principals: readonly (number | string)[] | undefined,
    readonly settings: ChannelSettings,
    readonly authorizationErrorsFatal: boolean,
    readonly notices: NoticeWishes,
  ) {
    super();
  }
}

@CommandHandler(SubscribeCommand)
export class SubscribeHandler implements ICommandHandler<SubscribeCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly followUps: FollowUps,
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly clock: Clock,
  ) {}

  async execute(command: SubscribeCommand): Promise<Subscribed> {
    const { actor, principals, settings, authorizationErrorsFatal, notices } = command;
    if (principals !== undefined && principals.length > MANY_PRINCIPALS) await nextSlice();
    const channels = await wantedChannels(this.directory, this.site, actor, command.subscriptions);
    const at = this.clock.nowSeconds();
    const { appended, ...subscribed } = await this.runner.runOn(this.directory, (directory) =>
      decideSubscribe(directory, {
        type: 'subscribe',
        actor,
        channels,
        principals,
        settings,
        authorizationErrorsFatal,
        notices,
        at,
      }),
    );
    await this.followUps.carryOut(streams.organization, appended, subscribed.events);
    return subscribed;
  }
}
