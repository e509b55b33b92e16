import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock } from '#kernel';
import { Directory, Site, type User } from '#organization';
import { PLAIN_CHANNEL } from '../channel-settings.js';
import { decideSubscribe, type Subscribed } from '../subscribe.decider.js';
import { decideUnsubscribe, type Unsubscribed } from '../unsubscribe.decider.js';
import { type NamedChannel, wantedChannels } from './wanted-channels.js';

interface JoinedAndLeft {
  readonly subscribed: Subscribed;
  readonly unsubscribed: Unsubscribed;
}

/** Subscribes the actor to channels, which are created if needed, and ends other subscriptions: all of it or nothing. */
export class JoinAndLeaveCommand extends Command<JoinedAndLeft> {
  constructor(
    readonly actor: User,
    readonly joined: readonly NamedChannel[],
    readonly left: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(JoinAndLeaveCommand)
export class JoinAndLeaveHandler implements ICommandHandler<JoinAndLeaveCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly followUps: FollowUps,
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, joined, left }: JoinAndLeaveCommand): Promise<JoinedAndLeft> {
    const channels = await wantedChannels(this.directory, this.site, actor, joined);
    const at = this.clock.nowSeconds();
    const { appended, events, ...decided } = await this.runner.runOn(this.directory, (directory) => {
      const subscribed = decideSubscribe(directory, {
        type: 'subscribe',
        actor,
        channels,
        principals: undefined,
        settings: PLAIN_CHANNEL,
        authorizationErrorsFatal: true,
        notices: { announce: false, tellSubscribers: true },
        at,
      });
      const unsubscribed = decideUnsubscribe(directory, {
        type: 'unsubscribe',
        actor,
        names: left,
        principals: undefined,
        at,
      });
      return { events: [...subscribed.events, ...unsubscribed.events], subscribed, unsubscribed };
    });
    await this.followUps.carryOut(streams.organization, appended, events);
    return decided;
  }
}
