import { defineFeature } from '#feature';
import { mailEventTypes } from './mail.events.js';
import { MailModule } from './mail.module.js';
import { mailTimers, outgoingMailProjection } from './mail.projection.js';
import { DeliverMail } from './deliver-mail.js';

/** Outgoing mail. */
export const mail = defineFeature({
  name: 'mail',
  events: mailEventTypes,
  projections: [outgoingMailProjection],
  timers: [{ source: mailTimers, handler: DeliverMail }],
  module: MailModule,
});
