import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { readerProvider } from '#feature';
import { MessagesModule, OwnHistory } from '#messages';
import { MessageClientEvents } from './client-events/messages.client-events.js';
import { FetchMessagesHandler } from './fetch/fetch-messages.js';
import { GetMessageHandler } from './fetch/get-message.js';
import { MatchMessagesHandler } from './fetch/match-messages.js';
import { MaxMessageIdHandler } from './fetch/max-message-id.js';
import { MessageQueriesController } from './fetch/message-queries.controller.js';
import { ReadReceiptsHandler } from './fetch/read-receipts.js';
import { FlagsReader } from './flags/flags.reader.js';
import { MessageHolders } from './flags/message-holders.js';
import { userFlagsCollection } from './flags/user-flags.projection.js';
import { MessageHistoryHandler } from './history/message-history.js';
import { ChangeFlagsInNarrowHandler } from './mark/change-flags-in-narrow.js';
import { ChangeFlagsHandler, FlagWriter } from './mark/change-flags.js';
import { FlagClientEvents } from './mark/flags.client-events.js';
import { FlagsController } from './mark/flags.controller.js';
import { MarkAllReadHandler, MarkChannelReadHandler, MarkRead, MarkTopicReadHandler } from './mark/mark-read.js';
import { NewcomerHistory } from './mark/newcomer-history.js';
import { NarrowReader } from './narrow/narrow-reader.js';
import { NarrowedMessages } from './narrow/narrowed-messages.js';
import { PropertyTerms } from './narrow/property-terms.js';
import { FileReferences } from './references/file-references.js';
import { MessageFields } from './register/message.fields.js';
import { StarredMessages } from './register/starred-messages.js';
import { conversationsCollection } from './topics/conversation.document.js';
import { ConversationsReader } from './topics/conversations.reader.js';
import { HasNamedTopicsHandler } from './topics/has-named-topics.js';
import { ListTopicsHandler } from './topics/list-topics.js';
import { RecentDirectConversations } from './topics/recent-direct-conversations.js';
import { UnreadReader } from './unread/unread.reader.js';
import { WaitingMessages } from './unread/waiting-messages.js';
import { messageVersionsCollection } from './versions/message-versions.projection.js';
import { MessageVersionsReader } from './versions/message-versions.reader.js';
import { DeliveredFilter } from './viewer/delivered-filter.js';
import { ReadableMessages } from './viewer/readable-messages.js';
import { ViewerMessages } from './viewer/viewer-messages.js';

const handlers = [
  ChangeFlagsHandler,
  ChangeFlagsInNarrowHandler,
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
];

/** Providers that other modules may inject. */
const open = [
  FileReferences,
  FlagClientEvents,
  MarkRead,
  NewcomerHistory,
  MessageClientEvents,
  MessageFields,
  { provide: OwnHistory, useExisting: ViewerMessages },
  ReadableMessages,
  ViewerMessages,
  WaitingMessages,
];

/** Reading messages, and users' flags. Global, since messages ask it what is in a user's own history. */
@Global()
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [FlagsController, MessageQueriesController],
  providers: [
    ...handlers,
    ...open,
    readerProvider(MessageVersionsReader, messageVersionsCollection),
    readerProvider(ConversationsReader, conversationsCollection),
    readerProvider(FlagsReader, userFlagsCollection),
    readerProvider(MessageHolders, userFlagsCollection),
    NarrowReader,
    NarrowedMessages,
    PropertyTerms,
    RecentDirectConversations,
    StarredMessages,
    FlagWriter,
    DeliveredFilter,
    UnreadReader,
  ],
  exports: open,
})
export class ReadingModule {}
