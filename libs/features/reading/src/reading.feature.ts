import { defineFeature } from '#feature';
import { MessageClientEvents } from './client-events/messages.client-events.js';
import { readingEventTypes } from './flags/flags.events.js';
import { FlagClientEvents } from './mark/flags.client-events.js';
import { readingProjections } from './reading-projections.js';
import { ReadingModule } from './reading.module.js';
import { MessageFields } from './register/message.fields.js';

/** Reading messages, and users' flags. */
export const reading = defineFeature({
  name: 'reading',
  events: readingEventTypes,
  projections: readingProjections,
  clientEvents: [MessageClientEvents, FlagClientEvents],
  register: [MessageFields],
  module: ReadingModule,
});
