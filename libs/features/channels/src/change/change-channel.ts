import { Command, QueryBus } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import { renderDescription } from '#markdown';
import { renderWorldOf } from '#messages';
import { HasNamedTopicsQuery } from '#reading';
import { Directory } from '#people';
import { Site } from '#realm/model';
import type { User } from '#users/model';
import { accessChannelMetadata } from '../model/channels/channel.access.js';
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

export const changeChannel = command(
  ChangeChannelCommand,
  { directory: Directory, queries: QueryBus, site: Site },
  async ({ asked }, { directory, queries, site }) => {
    const { actor, channelId, name, description, topicsPolicy } = asked;
    accessChannelMetadata(directory, actor, channelId);
    const change: Omit<ChangeChannel, 'at'> = {
      ...asked,
      type: 'change-channel',
      name: name === undefined ? undefined : checkChannelName(name),
      description: description === undefined ? undefined : rendered(directory, site, actor, description),
      hasNamedTopics:
        topicsPolicy === 'empty_topic_only' && (await queries.execute(new HasNamedTopicsQuery(channelId))),
    };
    return inOrganization((now, at) => decideChangeChannel(now, { ...change, at }));
  },
);

function rendered(directory: Directory, site: Site, actor: User, description: string): ChangeChannel['description'] {
  const text = checkChannelDescription(description);
  return { text, rendered: text === '' ? '' : renderDescription(text, renderWorldOf(directory, site.url, actor)) };
}

/** Archives a channel: it can be read, and nothing is written to it any more. */
export class ArchiveChannelCommand extends Command<void> {
  constructor(readonly asked: Omit<ArchiveChannel, 'type' | 'at'>) {
    super();
  }
}

export const archiveChannel = command(ArchiveChannelCommand, {}, ({ asked }) =>
  inOrganization((directory, at) => decideArchiveChannel(directory, { ...asked, type: 'archive-channel', at })),
);
