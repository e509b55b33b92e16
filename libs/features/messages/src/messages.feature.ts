import { defineFeature } from '#feature';
import { messageEventTypes } from './model/messages.events.js';
import { MessagesModule } from './messages.module.js';
import { messagesProjection } from './projections/messages.projection.js';
import { idempotentSendsProjection } from './send/idempotent-sends.projection.js';
import { sendEventTypes } from './send/send.events.js';
import { TypingClientEvents } from './typing/typing.client-events.js';
import { MoveFollowUp } from './move/move-follow-up.js';

/** Writing messages. */
export const messages = defineFeature({
  name: 'messages',
  events: [...messageEventTypes, ...sendEventTypes],
  decidersOnly: ['send.reserved.v1'],
  projections: [messagesProjection, idempotentSendsProjection],
  clientEvents: [TypingClientEvents],
  followUps: { 'messages.moved.v1': MoveFollowUp },
  module: MessagesModule,
});
