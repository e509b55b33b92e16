import { setImmediate as nextTurn } from 'node:timers/promises';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '#kernel';
import { renderDescription } from '#markdown';
import { renderWorldOf } from '#messages';
import { Directory, OrganizationWrites, Site, type User } from '#organization';
import type { ChannelSettings } from '../channel-settings.js';
import { ChannelNotices } from '../channel-notices.js';
import { checkChannelDescription, checkChannelName } from '../channel-text.js';
import { decideSubscribe, type Subscribed, type WantedChannel } from '../subscribe.decider.js';
import { normalizeColor } from '../wire-channel.js';

/** How many descriptions are rendered between two turns of the event loop. */
const RENDERED_PER_TURN = 20;

/** Subscribes users to channels by name, creating what does not exist. */
export class SubscribeCommand extends Command<Subscribed & { readonly told: boolean }> {
  constructor(
    readonly actor: User,
    readonly subscriptions: readonly {
      readonly name: string;
      readonly description?: string;
      readonly color?: string;
    }[],
    readonly principals: readonly (number | string)[] | undefined,
    readonly settings: ChannelSettings,
    readonly wishes: {
      readonly authorizationErrorsFatal: boolean;
      /** Whether the notification bot announces channels that are created. */
      readonly announce: boolean;
      /** Whether people added by others are told. */
      readonly tellSubscribers: boolean;
    },
  ) {
    super();
  }
}

@CommandHandler(SubscribeCommand)
export class SubscribeHandler implements ICommandHandler<SubscribeCommand> {
  constructor(
    private readonly writes: OrganizationWrites,
    private readonly notices: ChannelNotices,
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly clock: Clock,
  ) {}

  async execute(command: SubscribeCommand): Promise<Subscribed & { readonly told: boolean }> {
    const { actor, principals, settings, wishes } = command;
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
      // A thousand descriptions take a second to render, in which others have their turn.
      if (kept !== '' && channels.length % RENDERED_PER_TURN === 0) await nextTurn();
    }
    const at = this.clock.nowSeconds();
    const { authorizationErrorsFatal } = wishes;
    let decided: Subscribed | undefined;
    await this.writes.run((directory) => {
      decided = decideSubscribe(directory, {
        type: 'subscribe',
        actor,
        channels,
        principals,
        settings,
        authorizationErrorsFatal,
        at,
      });
      return decided.events;
    });
    if (decided === undefined) throw new Error('A subscription was recorded without a decision.');
    const told = await this.notices.subscribed(actor, decided, wishes, settings.inviteOnly);
    return { ...decided, told };
  }
}
