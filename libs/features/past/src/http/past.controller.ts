import { Controller, Get, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Answers, ApiTags, Caller, Params, sendFields, Summary, WritesAnswer } from '#http';
import { badRequest } from '#kernel';
import { Directory } from '#people';
import { Gravatar, type User } from '#users/model';
import { ExtraEmojiType } from '#pictures/model';
import { described, integer, list, named, object, truth, type Wire } from '#wire';
import { PastMessagesQuery } from '../as-of/past-messages.js';
import { MomentSchema, type PastMoments, PastMomentsQuery } from '../as-of/past-moments.js';
import { PastPlace } from '../as-of/past-place.js';
import { PastMessageSchema } from '../wire-past-message.js';
import { DigestSchema, SinceQuery } from '../since/since.js';
import { PastMessagesParams, PlaceParams, SinceParams } from './past.params.js';

const PastMessagesSchema = named(
  'PastMessages',
  object({
    messages: list(PastMessageSchema),
    found_oldest: truth,
    before: described(integer, 'What the next page is asked with; 0 where there is none.'),
    is_cut: described(truth, 'Very many messages have left the topic since, and some of them are missing.'),
  }),
);

/** Conversations as they were, for their readers of today (endpoints.md §3). */
@ApiTags('messages')
@Controller('api/v1/past')
export class PastController {
  constructor(
    private readonly queries: QueryBus,
    private readonly directory: Directory,
    private readonly extraEmojiType: ExtraEmojiType,
    private readonly gravatar: Gravatar,
  ) {}

  @Get('messages')
  @WritesAnswer(PastMessagesSchema)
  @Summary(
    'Show a conversation as it read at a time',
    'What the caller could read then and may read now, the newest first.',
  )
  async messages(
    @Caller() viewer: User,
    @Params(PastMessagesParams) params: PastMessagesParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { as_of, before = Number.MAX_SAFE_INTEGER, limit } = params;
    const query = new PastMessagesQuery(
      viewer,
      this.#placeOf(viewer, params),
      as_of,
      { before, limit },
      {
        applyMarkdown: params.apply_markdown,
        clientGravatar: this.gravatar.isComputed(params.client_gravatar),
        allowEmptyTopicName: params.allow_empty_topic_name,
        extraEmojiType: this.extraEmojiType,
      },
    );
    const { messages, foundOldest, before: next, isCut } = await this.queries.execute(query);
    const rest = JSON.stringify({ found_oldest: foundOldest, before: next, is_cut: isCut });
    sendFields(reply, ['"messages":[', messages.join(','), '],', rest.slice(1, -1)]);
  }

  @Get('moments')
  @Answers(object({ moments: list(MomentSchema), is_cut: described(truth, 'Earlier changes may be missing.') }))
  @Summary('List the times at which a conversation changed', 'As far as the caller may know of them.')
  async moments(
    @Caller() viewer: User,
    @Params(PlaceParams) params: PlaceParams,
  ): Promise<{ moments: PastMoments['moments']; is_cut: boolean }> {
    const { moments, isCut } = await this.queries.execute(new PastMomentsQuery(viewer, this.#placeOf(viewer, params)));
    return { moments, is_cut: isCut };
  }

  @Get('since')
  @Answers(DigestSchema)
  @Summary(
    'Tell what happened since a time',
    'In conversations of the caller, by their rights of today: 7 days or 50,000 events at most.',
  )
  since(
    @Caller() viewer: User,
    @Params(SinceParams) { time, allow_empty_topic_name }: SinceParams,
  ): Promise<Wire<typeof DigestSchema>> {
    return this.queries.execute(new SinceQuery(viewer, time, allow_empty_topic_name));
  }

  /** @throws Refusal BAD_REQUEST */
  #placeOf(viewer: User, { stream_id, topic, user_ids }: PlaceParams): PastPlace {
    if (user_ids !== undefined && stream_id === undefined && topic === undefined)
      return PastPlace.direct(viewer, user_ids);
    if (stream_id !== undefined && topic !== undefined && user_ids === undefined)
      return PastPlace.topic(this.directory, viewer, stream_id, topic);
    throw badRequest('Name a conversation: by stream_id and topic, or by user_ids.');
  }
}
