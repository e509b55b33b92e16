import { Command } from '@nestjs/cqrs';
import { command, inOrganizationWith } from '#feature';
import { Directory } from '#people';
import { Site } from '#realm/model';
import { type CreateChannel, decideCreateChannel } from '../subscribe.decider.js';
import { type NamedChannel, wantedChannels } from './wanted-channels.js';

/** Creates a channel; returns its ID. */
export class CreateChannelCommand extends Command<number> {
  constructor(readonly asked: Omit<CreateChannel, 'type' | 'channel' | 'at'> & { readonly channel: NamedChannel }) {
    super();
  }
}

export const createChannel = command(
  CreateChannelCommand,
  { directory: Directory, site: Site },
  async ({ asked }, { directory, site }) => {
    const [channel] = await wantedChannels(directory, site, asked.actor, [asked.channel]);
    if (channel === undefined) throw new Error('One channel was named.');
    return inOrganizationWith((now, at) =>
      decideCreateChannel(now, { ...asked, type: 'create-channel', channel, at }),
    ).answering(({ channelId }) => channelId);
  },
);
