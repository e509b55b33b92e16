import { Controller, Get, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { Caller, ClientName, Params, PathId } from '#http';
import { badRequest, Refusal, type JsonObject } from '#kernel';
import type { User } from '#organization';
import { FetchMessagesQuery, type FetchedMessages, type Window } from '../queries/fetch-messages.js';
import { GetMessageQuery, type FetchedMessage } from '../queries/get-message.js';
import { ListTopicsQuery, type TopicEntry } from '../queries/list-topics.js';
import { MatchMessagesQuery } from '../queries/match-messages.js';
import { MessageHistoryQuery } from '../queries/message-history.js';
import { narrowTermsOf } from '../queries/narrow/narrow-terms.js';
import { FETCHED_MAX } from '../queries/narrowed-messages.js';
import { ReadReceiptsQuery } from '../queries/read-receipts.js';
import { RenderContentQuery } from '../queries/render-content.js';
import type { SearchedFields } from '../queries/searched-fields.js';
import { isZulipClient, type WireOptions } from '../wire-message.js';
import {
  AllowEmptyTopicParams,
  FetchMessageParams,
  FetchMessagesParams,
  MatchMessagesParams,
  RenderContentParams,
} from './message-queries.params.js';
import { windowOf } from './window.js';

/** Reading messages (specification, GET /messages/{message_id}; endpoints.md §3). */
@ApiTags('messages')
@Controller('api/v1')
export class MessageQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Get('messages')
  list(
    @Caller() viewer: User,
    @ClientName() client: string,
    @Params(FetchMessagesParams) params: FetchMessagesParams,
  ): Promise<FetchedMessages> {
    const window = requestedWindow(params);
    const terms = narrowTermsOf(params.narrow);
    return this.queries.execute(new FetchMessagesQuery(viewer, terms, window, optionsOf(params, client)));
  }

  @Get('messages/matches_narrow')
  async matches(
    @Caller() viewer: User,
    @Params(MatchMessagesParams) { msg_ids, narrow }: MatchMessagesParams,
  ): Promise<{ messages: Readonly<Record<string, SearchedFields>> }> {
    return { messages: await this.queries.execute(new MatchMessagesQuery(viewer, msg_ids, narrowTermsOf(narrow))) };
  }

  /** Nothing here summarizes topics, and `server_can_summarize_topics` says so (endpoints.md §3). */
  @Get('messages/summary')
  @ApiExcludeEndpoint()
  summary(): never {
    throw new Refusal('NOT_FOUND', 'This server does not summarize topics');
  }

  @Get('messages/:message_id')
  one(
    @Caller() viewer: User,
    @ClientName() client: string,
    @PathId('message_id') messageId: number,
    @Params(FetchMessageParams) params: FetchMessageParams,
  ): Promise<FetchedMessage> {
    return this.queries.execute(new GetMessageQuery(viewer, messageId, optionsOf(params, client)));
  }

  @Get('messages/:message_id/history')
  async history(
    @Caller() viewer: User,
    @PathId('message_id') messageId: number,
    @Params(AllowEmptyTopicParams) params: AllowEmptyTopicParams,
  ): Promise<{ message_history: readonly JsonObject[] }> {
    const query = new MessageHistoryQuery(viewer, messageId, params.allow_empty_topic_name);
    return { message_history: await this.queries.execute(query) };
  }

  @Get('messages/:message_id/read_receipts')
  async receipts(
    @Caller() viewer: User,
    @PathId('message_id') messageId: number,
  ): Promise<{ user_ids: readonly number[] }> {
    return { user_ids: await this.queries.execute(new ReadReceiptsQuery(viewer, messageId)) };
  }

  @Post('messages/render')
  async render(
    @Caller() viewer: User,
    @Params(RenderContentParams) { content }: RenderContentParams,
  ): Promise<{ rendered: string }> {
    return { rendered: await this.queries.execute(new RenderContentQuery(viewer, content)) };
  }

  @Get('users/me/:stream_id/topics')
  async topics(
    @Caller() viewer: User,
    @PathId('stream_id') channelId: number,
    @Params(AllowEmptyTopicParams) params: AllowEmptyTopicParams,
  ): Promise<{ topics: readonly TopicEntry[] }> {
    const query = new ListTopicsQuery(viewer, channelId, params.allow_empty_topic_name);
    return { topics: await this.queries.execute(query) };
  }
}

function optionsOf(params: FetchMessageParams, client: string): WireOptions {
  return {
    applyMarkdown: params.apply_markdown,
    clientGravatar: params.client_gravatar,
    allowEmptyTopicName: params.allow_empty_topic_name,
    clientIsZulip: isZulipClient(client),
  };
}

/** @throws Refusal REQUEST_VARIABLE_MISSING, BAD_REQUEST */
function requestedWindow(params: FetchMessagesParams): Window {
  const { anchor, use_first_unread_anchor, include_anchor, num_before, num_after, message_ids } = params;
  const asksFirstUnread = use_first_unread_anchor === true;
  if (message_ids !== undefined) {
    if (anchor !== undefined || asksFirstUnread || num_before !== undefined || num_after !== undefined)
      throw badRequest('Unsupported parameter combination: message_ids cannot be used with an anchor');
    return { messageIds: message_ids };
  }
  if (num_before === undefined) throw missing('num_before');
  if (num_after === undefined) throw missing('num_after');
  if (num_before + num_after > FETCHED_MAX)
    throw badRequest(`Too many messages requested (num_before and num_after together: ${FETCHED_MAX})`);
  return windowOf({ anchor: asksFirstUnread ? 'first_unread' : anchor, include_anchor, num_before, num_after });
}

function missing(name: string): Refusal {
  return new Refusal('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name });
}
