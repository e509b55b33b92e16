import { Injectable } from '@nestjs/common';
import { streams } from '#event-store';
import { Decisions, inStream } from '#feature';
import type { FollowUp, Trigger } from '#follow-ups';
import { causedBy, Clock, type Origin } from '#kernel';
import { Mailer } from '#mail';
import { type WaitingMessage, WaitingMessages } from '#reading';
import { Directory } from '#people';
import type { ReadSidePass } from '#read-store';
import type { TimerHandler } from '#timers';
import type { MissedMailBatched } from './missed.events.js';
import { threadOf } from './conversation.js';
import { mayShowContent } from './missed-content.js';
import { missedMailDecider } from './missed-mail.decider.js';
import { MISSED_MAIL } from './missed-mail.js';
import { MissedReader } from './missed.reader.js';

/** Closes batches of missed messages that are due: as fast as their mails are composed, so that other mail does not wait behind them. */
@Injectable()
export class BatchMissedMessages implements TimerHandler {
  constructor(
    private readonly missed: MissedReader,
    private readonly decisions: Decisions,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  fire(subject: string, pass: ReadSidePass, origin: Origin): Promise<void> {
    return this.mailer.paced(() => this.#close(subject, pass, origin));
  }

  async #close(subject: string, pass: ReadSidePass, origin: Origin): Promise<void> {
    const [userId = 0, dueAt = 0] = subject.split(':').map(Number);
    const at = this.clock.nowSeconds();
    const messageIds = await this.missed.dueOf(userId, at);
    await pass.assertValid();
    const batch = { type: 'batch-missed', userId, dueAt, messageIds, at } as const;
    const decision = inStream(missedMailDecider, streams.missedMail(userId, dueAt), () => batch);
    await this.decisions.carryThrough(decision, origin);
  }
}

/** Queues the mails of a batch: one for each conversation, or one for all where they may not be named. */
@Injectable()
export class MailMissedMessages implements FollowUp<MissedMailBatched['data']> {
  constructor(
    private readonly directory: Directory,
    private readonly waiting: WaitingMessages,
    private readonly mailer: Mailer,
  ) {}

  async carryOut(
    { key, data: { userId, messageIds } }: Trigger<MissedMailBatched['data']>,
    pass: ReadSidePass,
  ): Promise<void> {
    const user = this.directory.user(userId);
    if (user?.isActive !== true) return;
    const messages = await this.waiting.of(user, messageIds);
    await pass.assertValid();
    const isTogether = !mayShowContent(this.directory, userId);
    const groups = grouped(messages, (message) => (isTogether ? 'all' : threadOf(message)));
    for (const [thread, some] of groups) {
      const ids = some.map(({ messageId }) => messageId).join(',');
      const values = { userId: String(userId), messageIds: ids };
      await this.mailer.queue(`${key}:${thread}`, MISSED_MAIL, values, causedBy({ key }));
    }
  }
}

function grouped(
  messages: readonly WaitingMessage[],
  keyOf: (message: WaitingMessage) => string,
): Map<string, WaitingMessage[]> {
  const groups = new Map<string, WaitingMessage[]>();
  for (const message of messages) {
    const key = keyOf(message);
    groups.set(key, [...(groups.get(key) ?? []), message]);
  }
  return groups;
}
