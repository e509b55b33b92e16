import { Controller, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, Summary } from '#http';
import { badRequest } from '#kernel';
import { normalizeTopic } from '#messages';
import { accessChannelContent } from '#channels/model';
import { Directory } from '#people';
import type { User } from '#users/model';
import { ChangePreferencesCommand } from '../commands/change-preferences.js';
import { MutedTopicsParams, UserTopicParams } from './user-topics.params.js';
import { TOPIC_POLICY, type TopicPolicy } from '../model/preferences.js';

/** Users' visibility policies for topics (endpoints.md §7). */
@ApiTags('preferences')
@Controller('api/v1')
export class UserTopicsController {
  constructor(
    private readonly directory: Directory,
    private readonly commands: CommandBus,
  ) {}

  @Post('user_topics')
  @Answers()
  @Summary('Mute, unmute or follow a topic', 'For the caller.')
  async set(@Caller() actor: User, @Params(UserTopicParams) params: UserTopicParams): Promise<void> {
    await this.#set(actor, params.stream_id, params.topic, params.visibility_policy);
  }

  /** Older form, for clients that only know muted topics. */
  @Patch('users/me/subscriptions/muted_topics')
  @Answers()
  @Summary('Mute or unmute a topic', 'The older form of `POST /user_topics`.')
  async mute(@Caller() actor: User, @Params(MutedTopicsParams) params: MutedTopicsParams): Promise<void> {
    const { stream_id: id, stream: name } = params;
    if ((id === undefined) === (name === undefined)) throw badRequest("Please supply one of 'stream_id' and 'stream'.");
    const channelId = id ?? this.directory.channelByName((name ?? '').trim())?.channelId ?? 0;
    await this.#set(actor, channelId, params.topic, params.op === 'add' ? TOPIC_POLICY.muted : TOPIC_POLICY.inherit);
  }

  async #set(actor: User, channelId: number, rawTopic: string, policy: TopicPolicy): Promise<void> {
    const topic = normalizeTopic(rawTopic);
    // A user without access to a channel may still remove their policies for its topics, and repeat that.
    if (policy !== TOPIC_POLICY.inherit) accessChannelContent(this.directory, actor, channelId);
    else if (this.directory.channel(channelId) === undefined) throw badRequest('Invalid channel ID');
    await this.commands.execute(
      new ChangePreferencesCommand(actor, { type: 'set-topic-policy', channelId, topic, policy }),
    );
  }
}
