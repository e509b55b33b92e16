import { Command, CommandHandler, QueryBus, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock } from '#kernel';
import { renderDescription } from '#markdown';
import { renderWorldOf } from '#messages';
import { HasNamedTopicsQuery } from '#reading';
import { accessChannelMetadata, Directory, Site } from '#organization';
import { checkChannelDescription, checkChannelName } from '../channel-text.js';
import type { ArchiveChannel, ChangeChannel } from './change.commands.js';
import { decideArchiveChannel, decideChangeChannel } from './change.decider.js';

/** Changes settings of a channel. */
export class ChangeChannelCommand extends Command<void> {
  constructor(
    readonly asked: Omit<ChangeChannel, 'type' | 'description' | 'hasNamedTopics' | 'at'> & {
      readonly description?: string | undefined;
    },
  ) {
    super();
  }
}

@CommandHandler(ChangeChannelCommand)
export class ChangeChannelHandler implements ICommandHandler<ChangeChannelCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly followUps: FollowUps,
    private readonly directory: Directory,
    private readonly queries: QueryBus,
    private readonly site: Site,
    private readonly clock: Clock,
  ) {}

  async execute({ asked }: ChangeChannelCommand): Promise<void> {
    const { actor, channelId, name, description, topicsPolicy } = asked;
    accessChannelMetadata(this.directory, actor, channelId);
    const command: ChangeChannel = {
      ...asked,
      type: 'change-channel',
      name: name === undefined ? undefined : checkChannelName(name),
      description: description === undefined ? undefined : this.#rendered(asked, description),
      hasNamedTopics:
        topicsPolicy === 'empty_topic_only' && (await this.queries.execute(new HasNamedTopicsQuery(channelId))),
      at: this.clock.nowSeconds(),
    };
    const { events, appended } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideChangeChannel(directory, command),
    }));
    await this.followUps.carryOut(streams.organization, appended, events);
  }

  #rendered({ actor }: ChangeChannelCommand['asked'], description: string): ChangeChannel['description'] {
    const text = checkChannelDescription(description);
    const rendered = text === '' ? '' : renderDescription(text, renderWorldOf(this.directory, this.site.url, actor));
    return { text, rendered };
  }
}

/** Archives a channel: it can be read, and nothing is written to it any more. */
export class ArchiveChannelCommand extends Command<void> {
  constructor(readonly asked: Omit<ArchiveChannel, 'type' | 'at'>) {
    super();
  }
}

@CommandHandler(ArchiveChannelCommand)
export class ArchiveChannelHandler implements ICommandHandler<ArchiveChannelCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly followUps: FollowUps,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  async execute({ asked }: ArchiveChannelCommand): Promise<void> {
    const command = { ...asked, type: 'archive-channel', at: this.clock.nowSeconds() } as const;
    const { events, appended } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideArchiveChannel(directory, command),
    }));
    await this.followUps.carryOut(streams.organization, appended, events);
  }
}
