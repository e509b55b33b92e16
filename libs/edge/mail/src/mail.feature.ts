import { defineFeature } from '#feature';
import { mailEventTypes } from './mail.events.js';
import { MailModule } from './mail.module.js';
import { mailTimers, outgoingMailProjection } from './mail.projection.js';

/** Outgoing mail. */
export const mail = defineFeature({
  name: 'mail',
  events: mailEventTypes,
  projections: [outgoingMailProjection],
  timers: [mailTimers],
  module: MailModule,
});
