import { CommandRunner } from '#event-store';
import { defineFeature, PendingWork } from '#feature';
import { Clock } from '#kernel';
import { ReadStore } from '#read-store';
import { DeliverMail } from './deliver-mail.js';
import { MailReports } from './mail-reports.js';
import { mailEventTypes } from './mail.events.js';
import { mailTimers, outgoingMailProjection, type MailDocument, outgoingMailCollection } from './mail.projection.js';
import { Mailer } from './mailer.js';
import { PendingMail } from './pending-mail.js';
import { MailTransport } from './transport/mail-transport.js';

/** Outgoing mail. */
export const mail = defineFeature({
  name: 'mail',
  events: mailEventTypes,
  projections: [outgoingMailProjection],
  timers: [{ source: mailTimers, handler: DeliverMail }],
  additions: [{ to: PendingWork, items: [PendingMail] }],
  providers: [
    Mailer,
    {
      provide: DeliverMail,
      inject: [ReadStore, Mailer, MailTransport, CommandRunner, Clock, MailReports],
      useFactory: async (
        store: ReadStore,
        mailer: Mailer,
        transport: MailTransport,
        runner: CommandRunner,
        clock: Clock,
        reports: MailReports,
      ) => {
        const outgoing = await store.collection<MailDocument>(outgoingMailCollection);
        return new DeliverMail(outgoing, mailer, transport, runner, clock, (failure) => reports.failed(failure));
      },
    },
  ],
});
