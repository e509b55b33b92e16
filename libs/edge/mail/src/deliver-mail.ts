import { type CommandOptions, type CommandRunner, streams } from '#event-store';
import type { Clock, OmitEach, Origin } from '#kernel';
import type { Collection, ReadSidePass } from '#read-store';
import type { TimerHandler } from '#timers';
import type { Letter } from './letter.js';
import type { MailCommand, Outcome } from './mail.commands.js';
import { mailDecider, UNKNOWN } from './mail.decider.js';
import type { MailDocument } from './mail.projection.js';
import type { Mailer } from './mailer.js';
import { MailFailure, type MailSession, type MailTransport } from './transport/mail-transport.js';

type Failed = Exclude<Outcome, { readonly kind: 'sent' }>;
type Asked = OmitEach<MailCommand, 'mailId' | 'at'>;

/**
 * Sends mail that is due: writes it to the mail server, records that the mail is being handed over, and ends it, with which the
 * server takes it. A mail that was being handed over when its process ended is given up, since the mail server may have it.
 */
export class DeliverMail implements TimerHandler {
  readonly isExclusive = true;

  constructor(
    private readonly outgoing: Collection<MailDocument>,
    private readonly mailer: Mailer,
    private readonly transport: MailTransport,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
    private readonly onFailure: (failure: MailFailure) => void,
  ) {}

  async fire(mailId: string, pass: ReadSidePass, origin: Origin): Promise<void> {
    const mail = await this.outgoing.get(mailId);
    if (mail === undefined) return;
    if (mail.isSubmitting) {
      // Read models that were put back do not know that it was sent.
      await pass.assertValid();
      this.onFailure(new MailFailure('unknown', UNKNOWN));
      await this.mailer.tellUnknown(mailId, mail.template, mail.values);
      await this.#run(mailId, { type: 'expire-mail' }, origin);
      return;
    }
    const letter = await this.mailer.compose(mailId, mail.template, mail.values);
    // What a mail is about looks gone while the read models are behind: it would never be sent.
    await pass.assertValid();
    if (letter === undefined) {
      const outcome = { kind: 'never', reason: 'It is not needed any more.' } as const;
      await this.#run(mailId, { type: 'skip-mail', outcome }, origin);
      return;
    }
    const session = await this.#attempt(() => this.transport.open());
    if ('failure' in session) {
      await this.#run(mailId, { type: 'skip-mail', outcome: session.failure }, origin);
      return;
    }
    try {
      await this.#submit(session.value, letter, mail, origin);
    } finally {
      session.value.close();
    }
  }

  async #submit(
    session: MailSession,
    letter: Letter,
    { template, values }: MailDocument,
    origin: Origin,
  ): Promise<void> {
    const { mailId } = letter;
    let claiming = Promise.resolve(false);
    // What happens between the record and the end of the mail is kept short.
    const claim = (): Promise<boolean> =>
      (claiming = this.#run(mailId, { type: 'submit-mail' }, origin, { isUnseen: true }));
    const submitted = await this.#attempt(() => session.submit(letter, claim));
    if ('failure' in submitted) {
      // The connection may have ended while it was being recorded.
      const isOurs = await claiming;
      if (submitted.isUnknown) await this.mailer.tellUnknown(mailId, template, values);
      await this.#run(mailId, { type: isOurs ? 'finish-mail' : 'skip-mail', outcome: submitted.failure }, origin);
    } else if (submitted.value) {
      await this.#run(mailId, { type: 'finish-mail', outcome: { kind: 'sent' } }, origin);
    }
    // Otherwise another process hands it over.
  }

  async #attempt<Value>(
    work: () => Promise<Value>,
  ): Promise<{ readonly value: Value } | { readonly failure: Failed; readonly isUnknown: boolean }> {
    try {
      return { value: await work() };
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      this.onFailure(error);
      const isUnknown = error.kind === 'unknown';
      return { failure: { kind: error.kind === 'later' ? 'later' : 'never', reason: error.message }, isUnknown };
    }
  }

  /** @returns whether anything was recorded */
  async #run(mailId: string, asked: Asked, origin: Origin, options: CommandOptions = {}): Promise<boolean> {
    const command = { mailId, at: this.clock.nowSeconds(), ...asked };
    const { events } = await this.runner.run(mailDecider, streams.mail(mailId), command, origin, options);
    return events.length > 0;
  }
}
