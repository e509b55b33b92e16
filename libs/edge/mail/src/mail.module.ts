import { Global, Module } from '@nestjs/common';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { ReadStore } from '#read-store';
import { DeliverMail } from './deliver-mail.js';
import { type MailDocument, outgoingMailCollection } from './mail.projection.js';
import { Mailer } from './mailer.js';
import { MailReports } from './mail-reports.js';
import { MailTransport } from './transport/mail-transport.js';

/** Outgoing mail. The transport comes from the composition root. */
@Global()
@Module({
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
  exports: [Mailer],
})
export class MailModule {}
