import { Command } from '@nestjs/cqrs';
import { command, inOrganizationWith } from '#feature';
import { nextSlice } from '#kernel';
import { Directory } from '#people';
import { Site } from '#realm/model';
import type { User } from '#users/model';
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

export const subscribe = command(
  SubscribeCommand,
  { directory: Directory, site: Site },
  async ({ subscriptions, ...asked }, { directory, site }) => {
    const { actor, principals } = asked;
    if (principals !== undefined && principals.length > MANY_PRINCIPALS) await nextSlice();
    const channels = await wantedChannels(directory, site, actor, subscriptions);
    return inOrganizationWith((now, at) =>
      decideSubscribe(now, { type: 'subscribe', channels, ...asked, at }),
    ).answering(({ appended: _, ...subscribed }) => subscribed);
  },
);
