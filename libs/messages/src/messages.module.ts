import { Module, type FactoryProvider, type Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandPath, EventStore, Visibility } from '#event-store';
import { Clock } from '#kernel';
import { ReadStore, type Collection, type CollectionSchema } from '#read-store';
import { AddReactionHandler } from './commands/add-reaction.js';
import { AddSubmessageHandler } from './commands/add-submessage.js';
import { ChangeFlagsHandler, FlagWriter } from './commands/change-flags.js';
import { ChangeFlagsInNarrowHandler } from './commands/change-flags-in-narrow.js';
import { ChangeMessageHandler } from './commands/change-message.js';
import { DeleteMessageHandler } from './commands/delete-message.js';
import { DeleteTopicHandler } from './commands/delete-topic.js';
import { MarkAllReadHandler, MarkChannelReadHandler, MarkRead, MarkTopicReadHandler } from './commands/mark-read.js';
import { ReportMessageHandler } from './commands/report-message.js';
import { RemoveReactionHandler } from './commands/remove-reaction.js';
import { SendMessageHandler } from './commands/send-message.js';
import { SetEditTypingHandler, SetTypingHandler } from './commands/set-typing.js';
import { ContentRenderer } from './content-renderer.js';
import { FlagClientEvents } from './flags.client-events.js';
import { FlagsController } from './http/flags.controller.js';
import { MessageCommandsController } from './http/message-commands.controller.js';
import { MessageQueriesController } from './http/message-queries.controller.js';
import { TopicsController } from './http/topics.controller.js';
import { ReportsController } from './http/reports.controller.js';
import { SubmessagesController } from './http/submessages.controller.js';
import { TypingController } from './http/typing.controller.js';
import { KeyedSends } from './keyed-sends.js';
import { MessageDesk } from './message-desk.js';
import { MessageSender } from './message-sender.js';
import { MessageClientEvents } from './messages.client-events.js';
import { MoveAnswersCollector } from './move-answers.js';
import { Participation } from './participation.js';
import { keyedSendsCollection, type KeyedSendDocument } from './projections/keyed-sends.projection.js';
import { TopicParticipants } from './topic-participants.js';
import { MoveBulletin } from './move-bulletin.js';
import { MoveFollowUp } from './move-follow-up.js';
import { conversationsCollection } from './projections/conversation.document.js';
import { messagesCollection } from './projections/message.document.js';
import { userFlagsCollection } from './projections/user-flags.projection.js';
import { ConversationsReader } from './queries/conversations.reader.js';
import { FetchMessagesHandler } from './queries/fetch-messages.js';
import { FlagsReader } from './queries/flags.reader.js';
import { GetMessageHandler } from './queries/get-message.js';
import { ListTopicsHandler } from './queries/list-topics.js';
import { MatchMessagesHandler } from './queries/match-messages.js';
import { MaxMessageIdHandler } from './queries/max-message-id.js';
import { MessageHistoryHandler } from './queries/message-history.js';
import { MessageHolders } from './queries/message-holders.js';
import { MessagesReader } from './queries/messages.reader.js';
import { NarrowReader } from './queries/narrow/narrow-reader.js';
import { PropertyTerms } from './queries/narrow/property-terms.js';
import { NarrowedMessages } from './queries/narrowed-messages.js';
import { OwnMessages } from './queries/own-messages.js';
import { ReadReceiptsHandler } from './queries/read-receipts.js';
import { RenderContentHandler } from './queries/render-content.js';
import { RecentDirectConversations } from './queries/recent-direct-conversations.js';
import { SeenMessages } from './queries/seen-messages.js';
import { StarredMessages } from './queries/starred-messages.js';
import { UnreadMessages } from './queries/unread-messages.js';
import { UnreadReader } from './queries/unread.reader.js';
import { SendAnswers } from './send-answers.js';
import { SentMessages } from './sent-messages.js';
import { TopicPolicies } from './topic-policies.js';
import { TypingClientEvents } from './typing.client-events.js';

/** A reader of one collection. */
function reader<Doc extends object, Reader>(
  type: Type<Reader> & (new (collection: Collection<Doc>) => Reader),
  schema: CollectionSchema,
): FactoryProvider<Reader> {
  return {
    provide: type,
    inject: [ReadStore],
    useFactory: async (store: ReadStore) => new type(await store.collection<Doc>(schema)),
  };
}

const keyedSends: FactoryProvider<KeyedSends> = {
  provide: KeyedSends,
  inject: [ReadStore, EventStore, Visibility, CommandPath, Clock],
  useFactory: async (read: ReadStore, store: EventStore, visibility: Visibility, path: CommandPath, clock: Clock) =>
    new KeyedSends(await read.collection<KeyedSendDocument>(keyedSendsCollection), store, visibility, path, clock),
};

const handlers = [
  AddReactionHandler,
  AddSubmessageHandler,
  ChangeFlagsHandler,
  ChangeFlagsInNarrowHandler,
  ChangeMessageHandler,
  DeleteMessageHandler,
  DeleteTopicHandler,
  FetchMessagesHandler,
  GetMessageHandler,
  ListTopicsHandler,
  MarkAllReadHandler,
  MarkChannelReadHandler,
  MarkTopicReadHandler,
  MatchMessagesHandler,
  MaxMessageIdHandler,
  MessageHistoryHandler,
  ReadReceiptsHandler,
  RemoveReactionHandler,
  RenderContentHandler,
  ReportMessageHandler,
  SendMessageHandler,
  SetEditTypingHandler,
  SetTypingHandler,
];

/** What others may have injected. */
const open = [
  FlagClientEvents,
  MarkRead,
  MessageClientEvents,
  MessageSender,
  RecentDirectConversations,
  SeenMessages,
  StarredMessages,
  TypingClientEvents,
  UnreadMessages,
];

/** Messages, and what each user makes of them. Stores, directory, command path and clock come from the composition root. */
@Module({
  imports: [CqrsModule],
  controllers: [
    FlagsController,
    MessageCommandsController,
    MessageQueriesController,
    TopicsController,
    ReportsController,
    SubmessagesController,
    TypingController,
  ],
  providers: [
    ...handlers,
    ...open,
    reader(MessagesReader, messagesCollection),
    reader(ConversationsReader, conversationsCollection),
    reader(FlagsReader, userFlagsCollection),
    reader(MessageHolders, userFlagsCollection),
    keyedSends,
    ContentRenderer,
    MessageDesk,
    MoveAnswersCollector,
    MoveBulletin,
    MoveFollowUp,
    NarrowReader,
    NarrowedMessages,
    PropertyTerms,
    FlagWriter,
    OwnMessages,
    Participation,
    SendAnswers,
    SentMessages,
    TopicParticipants,
    TopicPolicies,
    UnreadReader,
  ],
  exports: [...open, MessagesReader],
})
export class MessagesModule {}
