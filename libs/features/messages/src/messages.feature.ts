import { defineFeature } from '#feature';
import { FlagClientEvents } from './flags/flags.client-events.js';
import { MessageClientEvents } from './client-events/messages.client-events.js';
import { messageEventTypes } from './model/messages.events.js';
import { MessagesModule } from './messages.module.js';
import { messageProjections } from './projections/message-projections.js';
import { MessageFields } from './register/message.fields.js';
import { sendEventTypes } from './send/send.events.js';
import { TypingClientEvents } from './typing/typing.client-events.js';

/** Messages and users' flags. */
export const messages = defineFeature({
  name: 'messages',
  events: [...messageEventTypes, ...sendEventTypes],
  decidersOnly: ['send.reserved.v1'],
  projections: messageProjections,
  clientEvents: [MessageClientEvents, FlagClientEvents, TypingClientEvents],
  followUps: ['messages.moved.v1'],
  register: [MessageFields],
  module: MessagesModule,
});
