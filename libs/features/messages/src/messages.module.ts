import { Global, Module, type FactoryProvider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandRunner, EventStore, ReadBarrier } from '#event-store';
import { readerProvider } from '#feature';
import { Clock } from '#kernel';
import { ReadStore } from '#read-store';
import { AddReactionHandler } from './react/add-reaction.js';
import { AddSubmessageHandler } from './submessages/add-submessage.js';
import { ChangeFlagsHandler, FlagWriter } from './flags/change-flags.js';
import { ChangeFlagsInNarrowHandler } from './flags/change-flags-in-narrow.js';
import { ChangeMessageHandler } from './edit/change-message.js';
import { DeleteMessageHandler } from './delete/delete-message.js';
import { DeleteTopicHandler } from './delete/delete-topic.js';
import { NewcomerHistory } from './flags/newcomer-history.js';
import { MarkAllReadHandler, MarkChannelReadHandler, MarkRead, MarkTopicReadHandler } from './flags/mark-read.js';
import { ReportMessageHandler } from './report/report-message.js';
import { OwnHistory } from './react/own-history.js';
import { RemoveReactionHandler } from './react/remove-reaction.js';
import { SendMessageHandler } from './send/send-message.js';
import { SetEditTypingHandler, SetTypingHandler } from './typing/set-typing.js';
import { ContentRenderer } from './render/content-renderer.js';
import { FlagClientEvents } from './flags/flags.client-events.js';
import { FlagsController } from './flags/flags.controller.js';
import { ChangeMessageController } from './edit/change-message.controller.js';
import { DeleteMessageController } from './delete/delete-message.controller.js';
import { ReactionsController } from './react/reactions.controller.js';
import { SendMessageController } from './send/send-message.controller.js';
import { MessageQueriesController } from './fetch/message-queries.controller.js';
import { DeleteTopicController } from './delete/delete-topic.controller.js';
import { RenderContentController } from './render/render-content.controller.js';
import { ReportsController } from './report/reports.controller.js';
import { SubmessagesController } from './submessages/submessages.controller.js';
import { TypingController } from './typing/typing.controller.js';
import { IdempotentSends } from './send/idempotent-sends.js';
import { MessageCommands } from './model/message-commands.js';
import { MessageSender } from './send/message-sender.js';
import { MessageClientEvents } from './client-events/messages.client-events.js';
import { MoveContextReader } from './move/move-context.js';
import { AutoFollow } from './send/auto-follow.js';
import { idempotentSendsCollection, type IdempotentSendDocument } from './send/idempotent-sends.projection.js';
import { TopicParticipants } from './move/topic-participants.js';
import { MoveNotifier } from './move/move-notifier.js';
import { MoveFollowUp } from './move/move-follow-up.js';
import { MovePortions } from './move/move-portions.js';
import { MoveRests } from './move/move-rest.js';
import { conversationsCollection } from './projections/conversation.document.js';
import { messagesCollection } from './projections/message.document.js';
import { messageVersionsCollection } from './fetch/history/message-versions.projection.js';
import { userFlagsCollection } from './flags/user-flags.projection.js';
import { ConversationsReader } from './fetch/conversations.reader.js';
import { FetchMessagesHandler } from './fetch/fetch-messages.js';
import { FlagsReader } from './flags/flags.reader.js';
import { FileReferences } from './fetch/file-references.js';
import { GetMessageHandler } from './fetch/get-message.js';
import { HasNamedTopicsHandler } from './fetch/topics/has-named-topics.js';
import { ListTopicsHandler } from './fetch/topics/list-topics.js';
import { MatchMessagesHandler } from './fetch/narrow/match-messages.js';
import { MaxMessageIdHandler } from './fetch/max-message-id.js';
import { MessageHistoryHandler } from './fetch/history/message-history.js';
import { MessageHolders } from './flags/message-holders.js';
import { MessageVersionsReader } from './fetch/history/message-versions.reader.js';
import { MessagesReader } from './fetch/messages.reader.js';
import { NarrowReader } from './fetch/narrow/narrow-reader.js';
import { PropertyTerms } from './fetch/narrow/property-terms.js';
import { NarrowedMessages } from './fetch/narrow/narrowed-messages.js';
import { DeliveredFilter } from './fetch/delivered-filter.js';
import { ReadableMessages } from './fetch/readable-messages.js';
import { ReadReceiptsHandler } from './flags/read-receipts.js';
import { RenderContentHandler } from './render/render-content.js';
import { RecentDirectConversations } from './fetch/topics/recent-direct-conversations.js';
import { ViewerMessages } from './fetch/viewer-messages.js';
import { StarredMessages } from './flags/starred-messages.js';
import { WaitingMessages } from './unread/waiting-messages.js';
import { UnreadReader } from './unread/unread.reader.js';
import { MessageFields } from './register/message.fields.js';
import { SendContext } from './send/send-context.js';
import { SentMessages } from './model/sent-messages.js';
import { TopicPolicies } from './move/topic-policies.js';
import { TypingClientEvents } from './typing/typing.client-events.js';

const idempotentSends: FactoryProvider<IdempotentSends> = {
  provide: IdempotentSends,
  inject: [ReadStore, EventStore, ReadBarrier, CommandRunner, Clock],
  useFactory: async (read: ReadStore, store: EventStore, barrier: ReadBarrier, runner: CommandRunner, clock: Clock) =>
    new IdempotentSends(
      await read.collection<IdempotentSendDocument>(idempotentSendsCollection),
      store,
      barrier,
      runner,
      clock,
    ),
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
  HasNamedTopicsHandler,
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

/** Providers that other modules may inject. */
const open = [
  FileReferences,
  FlagClientEvents,
  MarkRead,
  NewcomerHistory,
  MessageClientEvents,
  MessageFields,
  MessageSender,
  ReadableMessages,
  ViewerMessages,
  TypingClientEvents,
  WaitingMessages,
];

/** Messages and users' flags. Stores, directory, command runner and clock come from the composition root. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [
    FlagsController,
    SendMessageController,
    ChangeMessageController,
    DeleteMessageController,
    DeleteTopicController,
    ReactionsController,
    MessageQueriesController,
    RenderContentController,
    ReportsController,
    SubmessagesController,
    TypingController,
  ],
  providers: [
    ...handlers,
    ...open,
    { provide: OwnHistory, useExisting: ViewerMessages },
    readerProvider(MessagesReader, messagesCollection),
    readerProvider(MessageVersionsReader, messageVersionsCollection),
    readerProvider(ConversationsReader, conversationsCollection),
    readerProvider(FlagsReader, userFlagsCollection),
    readerProvider(MessageHolders, userFlagsCollection),
    idempotentSends,
    ContentRenderer,
    MessageCommands,
    MoveContextReader,
    MoveNotifier,
    MoveFollowUp,
    MovePortions,
    MoveRests,
    NarrowReader,
    NarrowedMessages,
    PropertyTerms,
    RecentDirectConversations,
    StarredMessages,
    FlagWriter,
    DeliveredFilter,
    AutoFollow,
    SendContext,
    SentMessages,
    TopicParticipants,
    TopicPolicies,
    UnreadReader,
  ],
  exports: [...open, MessagesReader],
})
export class MessagesModule {}
