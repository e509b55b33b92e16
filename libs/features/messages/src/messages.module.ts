import { Global, Module, type FactoryProvider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandRunner, EventStore, ReadBarrier } from '#event-store';
import { readerProvider } from '#feature';
import { Clock } from '#kernel';
import { ReadStore } from '#read-store';
import { AddReactionHandler } from './react/add-reaction.js';
import { AddSubmessageHandler } from './submessages/add-submessage.js';
import { ChangeMessageHandler } from './edit/change-message.js';
import { DeleteMessageHandler } from './delete/delete-message.js';
import { DeleteTopicHandler } from './delete/delete-topic.js';
import { ReportMessageHandler } from './report/report-message.js';
import { RemoveReactionHandler } from './react/remove-reaction.js';
import { SendMessageHandler } from './send/send-message.js';
import { SetEditTypingHandler, SetTypingHandler } from './typing/set-typing.js';
import { ContentRenderer } from './render/content-renderer.js';
import { ChangeMessageController } from './edit/change-message.controller.js';
import { DeleteMessageController } from './delete/delete-message.controller.js';
import { ReactionsController } from './react/reactions.controller.js';
import { SendMessageController } from './send/send-message.controller.js';
import { TopicsController } from './delete/topics.controller.js';
import { ReportsController } from './report/reports.controller.js';
import { SubmessagesController } from './submessages/submessages.controller.js';
import { TypingController } from './typing/typing.controller.js';
import { IdempotentSends } from './send/idempotent-sends.js';
import { MessageCommands } from './existing/message-commands.js';
import { MessageSender } from './send/message-sender.js';
import { MoveContextReader } from './move/move-context.js';
import { AutoFollow } from './send/auto-follow.js';
import { idempotentSendsCollection, type IdempotentSendDocument } from './send/idempotent-sends.projection.js';
import { TopicParticipants } from './render/topic-participants.js';
import { MoveNotifier } from './move/move-notifier.js';
import { MoveFollowUp } from './move/move-follow-up.js';
import { MovePortions } from './move/move-portions.js';
import { MoveRests } from './move/move-rest.js';
import { messagesCollection } from './projections/message.document.js';
import { MessagesReader } from './existing/messages.reader.js';
import { RenderContentHandler } from './render/render-content.js';
import { SendContext } from './send/send-context.js';
import { SentMessages } from './existing/sent-messages.js';
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
  ChangeMessageHandler,
  DeleteMessageHandler,
  DeleteTopicHandler,
  RemoveReactionHandler,
  RenderContentHandler,
  ReportMessageHandler,
  SendMessageHandler,
  SetEditTypingHandler,
  SetTypingHandler,
];

/** Providers that other modules may inject. */
const open = [MessageSender, TypingClientEvents];

/** Writing messages. Stores, directory, command runner and clock come from the composition root. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [
    SendMessageController,
    ChangeMessageController,
    DeleteMessageController,
    ReactionsController,
    TopicsController,
    ReportsController,
    SubmessagesController,
    TypingController,
  ],
  providers: [
    ...handlers,
    ...open,
    readerProvider(MessagesReader, messagesCollection),
    idempotentSends,
    ContentRenderer,
    MessageCommands,
    MoveContextReader,
    MoveNotifier,
    MoveFollowUp,
    MovePortions,
    MoveRests,
    AutoFollow,
    SendContext,
    SentMessages,
    TopicParticipants,
    TopicPolicies,
  ],
  exports: [...open, MessagesReader, SentMessages],
})
export class MessagesModule {}
