import { setImmediate as nextTurn } from 'node:timers/promises';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock } from '#kernel';
import { renderDescription } from '#markdown';
import { renderWorldOf } from '#messages';
import { Directory, Site, type User } from '#organization';
import type { ChannelSettings } from '../channel-settings.js';
import { checkChannelDescription, checkChannelName } from '../channel-text.js';
import { decideSubscribe, type NoticeWishes, type Subscribed, type WantedChannel } from '../subscribe.decider.js';
import { normalizeColor } from '../wire-channel.js';

/** Descriptions rendered between two turns of the event loop. */
const RENDERED_PER_TURN = 20;

/** Subscribes users to channels by name, and creates those that do not exist. */
export class SubscribeCommand extends Command<Subscribed> {
  constructor(
    readonly actor: User,
    readonly subscriptions: readonly {
      readonly name: string;
      readonly description?: string;
      readonly color?: string;
    }[],
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
    const world = renderWorldOf(this.directory, this.site.url, actor);
    const channels: WantedChannel[] = [];
    for (const { name, description = '', color } of command.subscriptions) {
      const kept = checkChannelDescription(description);
      channels.push({
        name: checkChannelName(name),
        description: kept,
        renderedDescription: kept === '' ? '' : renderDescription(kept, world),
        color: color === undefined ? undefined : normalizeColor(color),
      });
      // A thousand descriptions take a second to render, during which other requests must run.
      if (kept !== '' && channels.length % RENDERED_PER_TURN === 0) await nextTurn();
    }
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
