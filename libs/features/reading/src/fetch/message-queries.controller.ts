import { Controller, Get, Post, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import {
  Answers,
  ApiExcludeEndpoint,
  ApiTags,
  Caller,
  OptionalAuth,
  Params,
  PathId,
  RecordsNothing,
  sendFields,
  Summary,
  WritesAnswer,
} from '#http';
import { badRequest, nextSlice, Refusal } from '#kernel';
import { RenderContentQuery } from '#messages';
import { callerOrSpectator, Directory } from '#people';
import { Gravatar, isSpectator, type User } from '#users/model';
import { ExtraEmojiType } from '#pictures/model';
import { described, exact, integer, list, map, number, object, text, truth } from '#wire';
import { FetchMessagesQuery, type Window } from './fetch-messages.js';
import { GetMessageQuery, type FetchedMessage } from './get-message.js';
import { ListTopicsQuery, type TopicEntry } from '../topics/list-topics.js';
import { MatchMessagesQuery } from './match-messages.js';
import { HistoryEntrySchema, MessageHistoryQuery } from '../history/message-history.js';
import { narrowTermsOf } from '../narrow/narrow-terms.js';
import { FETCHED_MAX } from '../narrow/narrowed-messages.js';
import { ReadReceiptsQuery } from './read-receipts.js';
import type { SearchedFields } from './searched-fields.js';
import type { WireOptions } from '../wire/wire-message.js';
import {
  AllowEmptyTopicParams,
  FetchMessageParams,
  FetchMessagesParams,
  MatchMessagesParams,
  RenderContentParams,
} from './message-queries.params.js';
import { assertMayNarrow } from './spectator.access.js';
import { windowOf } from './window.js';
import { MessageSchema } from '../wire/wire-message.js';

const FetchedSchema = object({
  messages: list(MessageSchema),
  anchor: described(number, 'ID of the anchor; 10000000000000000 for the newest message.'),
  found_anchor: truth,
  found_oldest: truth,
  found_newest: truth,
  history_limited: exact(false),
});

/** Reading messages (endpoints.md §3). */
@ApiTags('messages')
@Controller('api/v1')
export class MessageQueriesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly directory: Directory,
    private readonly extraEmojiType: ExtraEmojiType,
    private readonly gravatar: Gravatar,
  ) {}

  /** The reply is written here and not by Nest: large parts are JSON text already, made piece by piece. */
  @Get('messages')
  @WritesAnswer(FetchedSchema)
  @Summary('Fetch messages', 'Those that match a narrow, around an anchor, in the order of their IDs.')
  @OptionalAuth()
  async list(
    @Caller() caller: User | undefined,
    @Params(FetchMessagesParams) params: FetchMessagesParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const viewer = callerOrSpectator(this.directory, caller);
    const window = requestedWindow(params);
    const terms = narrowTermsOf(params.narrow);
    assertMayNarrow(viewer, terms);
    const query = new FetchMessagesQuery(viewer, terms, window, this.#optionsOf(viewer, params));
    const { messages, ...found } = await this.queries.execute(query);
    sendFields(reply, ['"messages":[', ...separated(messages), '],', JSON.stringify(found).slice(1, -1)]);
  }

  @Get('messages/matches_narrow')
  @Answers(object({ messages: map(object({ match_content: text, match_subject: text })) }))
  @Summary('Say which messages match a narrow', 'Those that do, by ID, with marked words.')
  async matches(
    @Caller() viewer: User,
    @Params(MatchMessagesParams) { msg_ids, narrow }: MatchMessagesParams,
  ): Promise<{ messages: Readonly<Record<string, SearchedFields>> }> {
    return { messages: await this.queries.execute(new MatchMessagesQuery(viewer, msg_ids, narrowTermsOf(narrow))) };
  }

  /** Topics are not summarized, as `server_can_summarize_topics` tells clients (endpoints.md §3). */
  @Get('messages/summary')
  @ApiExcludeEndpoint()
  summary(): never {
    throw new Refusal('NOT_FOUND', 'This server does not summarize topics');
  }

  @Get('messages/:message_id')
  @Answers(object({ message: MessageSchema, raw_content: text }))
  @Summary('Fetch a message', 'With its Markdown beside what `apply_markdown` asks for.')
  @OptionalAuth()
  one(
    @Caller() caller: User | undefined,
    @PathId('message_id') messageId: number,
    @Params(FetchMessageParams) params: FetchMessageParams,
  ): Promise<FetchedMessage> {
    const viewer = callerOrSpectator(this.directory, caller);
    return this.queries.execute(new GetMessageQuery(viewer, messageId, this.#optionsOf(viewer, params)));
  }

  @Get('messages/:message_id/history')
  @WritesAnswer(object({ message_history: list(HistoryEntrySchema) }))
  @Summary('Show the earlier versions of a message', 'From the oldest on, as far as the caller may know them.')
  async history(
    @Caller() viewer: User,
    @PathId('message_id') messageId: number,
    @Params(AllowEmptyTopicParams) params: AllowEmptyTopicParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const entries = await this.queries.execute(
      new MessageHistoryQuery(viewer, messageId, params.allow_empty_topic_name),
    );
    const texts: string[] = [];
    for (const entry of entries) {
      texts.push(JSON.stringify(entry));
      if (texts.length % WRITTEN_AT_ONCE === 0) await nextSlice();
    }
    sendFields(reply, ['"message_history":[', ...separated(texts), ']']);
  }

  @Get('messages/:message_id/read_receipts')
  @Answers(object({ user_ids: list(integer) }))
  @Summary('List who has read a message', 'Of those who share their read receipts.')
  async receipts(
    @Caller() viewer: User,
    @PathId('message_id') messageId: number,
  ): Promise<{ user_ids: readonly number[] }> {
    return { user_ids: await this.queries.execute(new ReadReceiptsQuery(viewer, messageId)) };
  }

  @Post('messages/render')
  @Answers(object({ rendered: text }))
  @Summary('Render Markdown', 'As in a message that the caller would send.')
  @RecordsNothing()
  async render(
    @Caller() viewer: User,
    @Params(RenderContentParams) { content }: RenderContentParams,
  ): Promise<{ rendered: string }> {
    return { rendered: await this.queries.execute(new RenderContentQuery(viewer, content)) };
  }

  @Get('users/me/:stream_id/topics')
  @Answers(object({ topics: list(object({ name: text, max_id: integer })) }))
  @Summary('List the topics of a channel', 'The one with the newest message first.')
  @OptionalAuth()
  async topics(
    @Caller() caller: User | undefined,
    @PathId('stream_id') channelId: number,
    @Params(AllowEmptyTopicParams) params: AllowEmptyTopicParams,
  ): Promise<{ topics: readonly TopicEntry[] }> {
    const viewer = callerOrSpectator(this.directory, caller);
    const query = new ListTopicsQuery(viewer, channelId, params.allow_empty_topic_name);
    return { topics: await this.queries.execute(query) };
  }

  #optionsOf(viewer: User, params: FetchMessageParams): WireOptions {
    return {
      applyMarkdown: params.apply_markdown,
      // Addresses, from which clients compute avatars, are for those with an account.
      clientGravatar: this.gravatar.isComputed(params.client_gravatar) && !isSpectator(viewer),
      allowEmptyTopicName: params.allow_empty_topic_name,
      extraEmojiType: this.extraEmojiType,
    };
  }
}

/** Entries of a history written per turn: each shows two versions and their difference. */
const WRITTEN_AT_ONCE = 10;

function separated(texts: readonly string[]): readonly string[] {
  return texts.map((text, index) => (index === 0 ? text : `,${text}`));
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
  if (num_before + num_after > FETCHED_MAX) throw badRequest(`Too many messages requested (maximum ${FETCHED_MAX}).`);
  return windowOf({ anchor: asksFirstUnread ? 'first_unread' : anchor, include_anchor, num_before, num_after });
}

function missing(name: string): Refusal {
  return new Refusal('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name });
}
