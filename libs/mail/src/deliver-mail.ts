import { type CommandRunner, streams } from '#event-store';
import type { Clock } from '#kernel';
import type { Collection } from '#read-store';
import type { TimerHandler, Timers } from '#timers';
import type { Letter } from './letter.js';
import type { MailCommand, Outcome } from './mail.commands.js';
import { mailDecider } from './mail.decider.js';
import { type MailDocument, mailTimers } from './mail.projection.js';
import type { Mailer } from './mailer.js';
import { MailFailure, type MailSession, type MailTransport } from './transport/mail-transport.js';

type Failed = Exclude<Outcome, { readonly kind: 'sent' }>;
type Asked = MailCommand extends infer One ? (One extends MailCommand ? Omit<One, 'mailId' | 'at'> : never) : never;

/**
 * Sends mail that is due: reaches the mail server, records that the mail is being handed over, and hands it over. A mail
 * that was being handed over when its process ended is given up, since the mail server may have it.
 */
export class DeliverMail implements TimerHandler {
  readonly kind = mailTimers.kind;

  constructor(
    private readonly outgoing: Collection<MailDocument>,
    private readonly mailer: Mailer,
    private readonly transport: MailTransport,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
    private readonly onFailure: (failure: MailFailure) => void,
    timers: Timers,
  ) {
    timers.add(this);
  }

  async fire(mailId: string): Promise<void> {
    const mail = await this.outgoing.get(mailId);
    if (mail === undefined) return;
    if (mail.isSubmitting) {
      await this.#run(mailId, { type: 'expire-mail' });
      return;
    }
    const letter = await this.mailer.compose(mailId, mail.template, mail.values);
    if (letter === undefined) {
      await this.#run(mailId, { type: 'skip-mail', outcome: { kind: 'never', reason: 'It is not needed any more.' } });
      return;
    }
    const session = await this.#attempt(() => this.transport.open());
    if ('failure' in session) {
      await this.#run(mailId, { type: 'skip-mail', outcome: session.failure });
      return;
    }
    try {
      await this.#submit(session.value, letter);
    } finally {
      session.value.close();
    }
  }

  async #submit(session: MailSession, letter: Letter): Promise<void> {
    const isOurs = await this.#run(letter.mailId, { type: 'submit-mail' });
    if (!isOurs) return; // Another process hands it over.
    const submitted = await this.#attempt(() => session.submit(letter));
    const outcome: Outcome = 'failure' in submitted ? submitted.failure : { kind: 'sent' };
    await this.#run(letter.mailId, { type: 'finish-mail', outcome });
  }

  async #attempt<Value>(work: () => Promise<Value>): Promise<{ readonly value: Value } | { readonly failure: Failed }> {
    try {
      return { value: await work() };
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      this.onFailure(error);
      return { failure: { kind: error.kind, reason: error.message } };
    }
  }

  /** @returns whether anything was recorded */
  async #run(mailId: string, asked: Asked): Promise<boolean> {
    const command = { mailId, at: this.clock.nowSeconds(), ...asked };
    const { events } = await this.runner.run(mailDecider, streams.mail(mailId), command);
    return events.length > 0;
  }
}
