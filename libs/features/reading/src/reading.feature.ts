import { defineFeature, readerProvider } from '#feature';
import { OwnHistory } from '#messages';
import { MessageClientEvents } from './client-events/messages.client-events.js';
import { fetchMessages } from './fetch/fetch-messages.js';
import { getMessage } from './fetch/get-message.js';
import { matchMessages } from './fetch/match-messages.js';
import { maxMessageId } from './fetch/max-message-id.js';
import { MessageQueriesController } from './fetch/message-queries.controller.js';
import { readReceipts } from './fetch/read-receipts.js';
import { readingEventTypes } from './flags/flags.events.js';
import { FlagsReader } from './flags/flags.reader.js';
import { MessageHolders } from './flags/message-holders.js';
import { userFlagsCollection } from './flags/user-flags.projection.js';
import { messageHistory } from './history/message-history.js';
import { changeFlagsInNarrow } from './mark/change-flags-in-narrow.js';
import { FlagWriter, changeFlags } from './mark/change-flags.js';
import { FlagClientEvents } from './mark/flags.client-events.js';
import { FlagsController } from './mark/flags.controller.js';
import { MarkRead, markAllRead, markChannelRead, markTopicRead } from './mark/mark-read.js';
import { NewcomerHistory } from './mark/newcomer-history.js';
import { NarrowReader } from './narrow/narrow-reader.js';
import { NarrowedMessages } from './narrow/narrowed-messages.js';
import { PropertyTerms } from './narrow/property-terms.js';
import { readingProjections } from './reading-projections.js';
import { FileReferences } from './references/file-references.js';
import { KeptRows } from './recent/kept-rows.js';
import { RecentMessages } from './recent/recent-messages.js';
import { RecordedReferences } from './references/recorded-references.js';
import { MessageFields } from './register/message.fields.js';
import { StarredMessages } from './register/starred-messages.js';
import { conversationsCollection } from './topics/conversation.document.js';
import { ConversationsReader } from './topics/conversations.reader.js';
import { hasNamedTopics } from './topics/has-named-topics.js';
import { TopicLists, listTopics } from './topics/list-topics.js';
import { RecentDirectConversations } from './topics/recent-direct-conversations.js';
import { UnreadReader } from './unread/unread.reader.js';
import { WaitingMessages } from './unread/waiting-messages.js';
import { messageVersionsCollection } from './versions/message-versions.projection.js';
import { MessageVersionsReader } from './versions/message-versions.reader.js';
import { DeliveredFilter } from './viewer/delivered-filter.js';
import { ReadableMessages } from './viewer/readable-messages.js';
import { ViewerMessages } from './viewer/viewer-messages.js';
import { messageEventSchemas } from './client-events/message-events.schema.js';
import { messageFieldSchemas } from './register/message-fields.schema.js';

/** Reading messages, and users' flags. */
export const reading = defineFeature({
  name: 'reading',
  events: readingEventTypes,
  projections: readingProjections,
  clientEvents: [MessageClientEvents, FlagClientEvents],
  eventSchemas: [messageEventSchemas],
  register: [MessageFields],
  registerSchemas: [messageFieldSchemas],
  commands: [changeFlags, changeFlagsInNarrow, markAllRead, markChannelRead, markTopicRead],
  queries: [
    fetchMessages,
    getMessage,
    hasNamedTopics,
    listTopics,
    matchMessages,
    maxMessageId,
    messageHistory,
    readReceipts,
  ],
  work: [RecentMessages],
  controllers: [FlagsController, MessageQueriesController],
  providers: [
    FileReferences,
    KeptRows,
    MarkRead,
    NewcomerHistory,
    { provide: OwnHistory, useExisting: ViewerMessages },
    ReadableMessages,
    RecentMessages,
    RecordedReferences,
    ViewerMessages,
    WaitingMessages,
    readerProvider(MessageVersionsReader, messageVersionsCollection),
    readerProvider(ConversationsReader, conversationsCollection),
    readerProvider(FlagsReader, userFlagsCollection),
    readerProvider(MessageHolders, userFlagsCollection),
    NarrowReader,
    TopicLists,
    NarrowedMessages,
    PropertyTerms,
    RecentDirectConversations,
    StarredMessages,
    FlagWriter,
    DeliveredFilter,
    UnreadReader,
  ],
});
