import { Command } from '@nestjs/cqrs';
import { command, inOrganizationWith } from '#feature';
import { Directory } from '#people';
import { Site } from '#realm/model';
import type { User } from '#users/model';
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

export const joinAndLeave = command(
  JoinAndLeaveCommand,
  { directory: Directory, site: Site },
  async ({ actor, joined, left }, { directory, site }) => {
    const channels = await wantedChannels(directory, site, actor, joined);
    return inOrganizationWith((now, at) => {
      const subscribed = decideSubscribe(now, {
        type: 'subscribe',
        actor,
        channels,
        principals: undefined,
        settings: PLAIN_CHANNEL,
        authorizationErrorsFatal: true,
        notices: { announce: false, tellSubscribers: true },
        at,
      });
      const unsubscribed = decideUnsubscribe(now, {
        type: 'unsubscribe',
        actor,
        names: left,
        principals: undefined,
        at,
      });
      return { events: [...subscribed.events, ...unsubscribed.events], subscribed, unsubscribed };
    }).answering(({ subscribed, unsubscribed }) => ({ subscribed, unsubscribed }));
  },
);
