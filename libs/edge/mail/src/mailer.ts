import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { Clock, CoreShare, type Origin } from '#kernel';
import { type Letter, type LetterContent, letterOf } from './letter.js';
import { mailDecider } from './mail.decider.js';

/** Of a core, for composing all mail: a message to thousands of people who are away must not slow others down. */
const CORE_SHARE = 0.25;

type Values = Readonly<Record<string, string>>;

type Composed = (LetterContent & { readonly to: string }) | undefined;

/** Composes mails of one kind from their parameters, which are all that is stored of them. */
export interface MailTemplate {
  readonly name: string;
  /** Undefined when the mail is not to be sent any more. */
  compose(values: Values): Composed | Promise<Composed>;
  /**
   * Tells those who can have the mail sent again that it is not known whether the mail server has taken it. May be called more than once.
   */
  tellUnknown?(mailId: string, values: Values): Promise<void>;
}

/** Queues mail. It is sent by the timers of whichever process looks first (ADR 22). */
@Injectable()
export class Mailer {
  readonly #templates = new Map<string, MailTemplate>();
  readonly #share = new CoreShare(CORE_SHARE);

  constructor(
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  add(template: MailTemplate): void {
    this.#templates.set(template.name, template);
  }

  /**
   * Queues a mail once per name, however often it is called.
   * @param name unique among all mails
   */
  async queue(name: string, template: string, values: Values, origin: Origin): Promise<void> {
    if (!this.#templates.has(template)) throw new Error(`There is no template ${template} for mail.`);
    const mailId = mailIdOf(name);
    const command = { type: 'queue-mail', mailId, template, values, at: this.clock.nowSeconds() } as const;
    await this.runner.run(mailDecider, streams.mail(mailId), command, origin);
  }

  /** Undefined when the mail is not to be sent any more. */
  compose(mailId: string, template: string, values: Values): Promise<Letter | undefined> {
    return this.paced(async () => {
      const content = await this.#templates.get(template)?.compose(values);
      return content && letterOf(mailId, content.to, content);
    });
  }

  /** Runs work on mail within the share of a core that all of it has. */
  paced<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#share.run(work);
  }

  /** Tells those who can have the mail sent again that its fate is not known. */
  async tellUnknown(mailId: string, template: string, values: Values): Promise<void> {
    await this.#templates.get(template)?.tellUnknown?.(mailId, values);
  }
}

function mailIdOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}
