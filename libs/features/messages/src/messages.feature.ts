import type { FactoryProvider } from '@nestjs/common';
import { CommandRunner, EventStore, ReadBarrier } from '#event-store';
import { defineFeature, readerProvider } from '#feature';
import { Clock } from '#kernel';
import { ReadStore } from '#read-store';
import { DeleteMessageController } from './delete/delete-message.controller.js';
import { deleteMessage } from './delete/delete-message.js';
import { deleteTopic } from './delete/delete-topic.js';
import { TopicsController } from './delete/topics.controller.js';
import { ChangeMessageController } from './edit/change-message.controller.js';
import { MessageChange, changeMessage } from './edit/change-message.js';
import { MessageCommands } from './existing/message-commands.js';
import { MessagesReader } from './existing/messages.reader.js';
import { SentMessages } from './existing/sent-messages.js';
import { DueMessages } from './expire/due-messages.js';
import { RetentionController } from './expire/retention.controller.js';
import { Retention } from './expire/retention.js';
import { messageEventTypes } from './model/messages.events.js';
import { MoveContextReader } from './move/move-context.js';
import { MoveFollowUp } from './move/move-follow-up.js';
import { MoveNotifier } from './move/move-notifier.js';
import { MovePortions } from './move/move-portions.js';
import { MoveRests } from './move/move-rest.js';
import { TopicPolicies } from './move/topic-policies.js';
import { messagesCollection } from './projections/message.document.js';
import { messagesProjection } from './projections/messages.projection.js';
import { addReaction } from './react/add-reaction.js';
import { ReactionsController } from './react/reactions.controller.js';
import { removeReaction } from './react/remove-reaction.js';
import { ContentRenderer } from './render/content-renderer.js';
import { renderContent } from './render/render-content.js';
import { TopicParticipants } from './render/topic-participants.js';
import { reportMessage } from './report/report-message.js';
import { ReportsController } from './report/reports.controller.js';
import { AutoFollow } from './send/auto-follow.js';
import { IdempotentSends } from './send/idempotent-sends.js';
import {
  idempotentSendsProjection,
  type IdempotentSendDocument,
  idempotentSendsCollection,
} from './send/idempotent-sends.projection.js';
import { BotNotices } from './send/bot-notices.js';
import { MessageSender } from './send/message-sender.js';
import { SendContext } from './send/send-context.js';
import { SendMessageController } from './send/send-message.controller.js';
import { sendMessage } from './send/send-message.js';
import { sendEventTypes } from './send/send.events.js';
import { addSubmessage } from './submessages/add-submessage.js';
import { SubmessagesController } from './submessages/submessages.controller.js';
import { setEditTyping, setTyping } from './typing/set-typing.js';
import { TypingClientEvents } from './typing/typing.client-events.js';
import { TypingController } from './typing/typing.controller.js';
import { typingEventSchemas } from './typing/typing-events.schema.js';

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

/** Writing messages. */
export const messages = defineFeature({
  name: 'messages',
  events: [...messageEventTypes, ...sendEventTypes],
  decidersOnly: ['send.reserved.v1'],
  projections: [messagesProjection, idempotentSendsProjection],
  clientEvents: [TypingClientEvents],
  eventSchemas: [typingEventSchemas],
  followUps: { 'messages.moved.v1': MoveFollowUp },
  commands: [
    addReaction,
    addSubmessage,
    changeMessage,
    deleteMessage,
    deleteTopic,
    removeReaction,
    reportMessage,
    sendMessage,
    setEditTyping,
    setTyping,
  ],
  queries: [renderContent],
  work: [Retention],
  controllers: [
    SendMessageController,
    ChangeMessageController,
    DeleteMessageController,
    ReactionsController,
    TopicsController,
    ReportsController,
    RetentionController,
    SubmessagesController,
    TypingController,
  ],
  providers: [
    BotNotices,
    MessageSender,
    readerProvider(MessagesReader, messagesCollection),
    idempotentSends,
    ContentRenderer,
    DueMessages,
    MessageChange,
    MessageCommands,
    MoveContextReader,
    MoveNotifier,
    MovePortions,
    MoveRests,
    Retention,
    AutoFollow,
    SendContext,
    SentMessages,
    TopicParticipants,
    TopicPolicies,
  ],
});
