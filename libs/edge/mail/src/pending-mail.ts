import { Injectable } from '@nestjs/common';
import { CommandRunner, EventStore, type RecordedEvent, streams } from '#event-store';
import { sinceFirst, TimedWork, type Work } from '#feature';
import { Clock, type OmitEach, type Origin } from '#kernel';
import { DueTimers } from '#timers';
import type { MailCommand } from './mail.commands.js';
import { mailDecider } from './mail.decider.js';
import type { MailEvent } from './mail.events.js';

/** Mail that is neither sent nor given up. */
@Injectable()
export class PendingMail extends TimedWork {
  override readonly kind = 'mail';

  constructor(
    due: DueTimers,
    store: EventStore,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {
    super('mail', due, store);
  }

  override retry(mailId: string, origin: Origin): Promise<boolean> {
    return this.#run(mailId, { type: 'hasten-mail' }, origin);
  }

  override drop(mailId: string, reason: string, origin: Origin): Promise<boolean> {
    return this.#run(mailId, { type: 'drop-mail', reason }, origin);
  }

  protected override streamOf(mailId: string): string {
    return streams.mail(mailId);
  }

  /** Its template alone: the parameters may be private. */
  protected override work(_mailId: string, events: readonly RecordedEvent[]): Work {
    const queued = events.find(({ type }) => type === ('mail.queued.v1' satisfies MailEvent['type']));
    return { what: String((queued?.data as { template?: string } | undefined)?.template), since: sinceFirst(events) };
  }

  async #run(mailId: string, asked: OmitEach<MailCommand, 'mailId' | 'at'>, origin: Origin): Promise<boolean> {
    const command = { mailId, at: this.clock.nowSeconds(), ...asked };
    const { events } = await this.runner.run(mailDecider, streams.mail(mailId), command, origin);
    return events.length > 0;
  }
}
