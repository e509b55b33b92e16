import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock } from '#kernel';
import { Directory, Site } from '#organization';
import { type CreateChannel, decideCreateChannel } from '../subscribe.decider.js';
import { type NamedChannel, wantedChannels } from './wanted-channels.js';

/** Creates a channel; returns its ID. */
export class CreateChannelCommand extends Command<number> {
  constructor(readonly asked: Omit<CreateChannel, 'type' | 'channel' | 'at'> & { readonly channel: NamedChannel }) {
    super();
  }
}

@CommandHandler(CreateChannelCommand)
export class CreateChannelHandler implements ICommandHandler<CreateChannelCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly followUps: FollowUps,
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly clock: Clock,
  ) {}

  async execute({ asked }: CreateChannelCommand): Promise<number> {
    const [channel] = await wantedChannels(this.directory, this.site, asked.actor, [asked.channel]);
    if (channel === undefined) throw new Error('One channel was named.');
    const command = { ...asked, type: 'create-channel', channel, at: this.clock.nowSeconds() } as const;
    const { channelId, events, appended } = await this.runner.runOn(this.directory, (directory) =>
      decideCreateChannel(directory, command),
    );
    await this.followUps.carryOut(streams.organization, appended, events);
    return channelId;
  }
}
