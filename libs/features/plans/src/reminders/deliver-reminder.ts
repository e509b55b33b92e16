import { Injectable } from '@nestjs/common';
import { streams } from '#event-store';
import { Decisions, inStream } from '#feature';
import { type FollowUp, isFinal, type Trigger } from '#follow-ups';
import { causedBy, type Origin } from '#kernel';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import { ReadableMessages } from '#reading';
import { Directory } from '#people';
import type { ReadSidePass } from '#read-store';
import type { TimerHandler } from '#timers';
import { reminderNotice } from './reminder-content.js';
import { remindersDecider } from './reminders.decider.js';
import type { ReminderDue, Reminder } from './reminders.events.js';
import { RemindersReader } from './reminders.reader.js';

/** Claims reminders that are due (ADR 21). */
@Injectable()
export class ClaimReminder implements TimerHandler {
  constructor(
    private readonly directory: Directory,
    private readonly reader: RemindersReader,
    private readonly decisions: Decisions,
  ) {}

  async fire(subject: string, _pass: ReadSidePass, origin: Origin): Promise<void> {
    const doc = await this.reader.byKey(subject);
    if (doc === undefined) return;
    const { userId, reminderId } = doc;
    const isUserActive = this.directory.user(userId)?.isActive === true;
    await this.decisions.carryThrough(
      inStream(remindersDecider, streams.plans(userId), (at) => ({
        type: 'claim-reminder' as const,
        userId,
        at,
        reminderId,
        isUserActive,
      })),
      origin,
    );
  }
}

/** Delivers a reminder that has been claimed, once: however late, since a late one is better than none. */
@Injectable()
export class DeliverReminder implements FollowUp<ReminderDue['data']> {
  readonly isUnordered = true;

  constructor(
    private readonly directory: Directory,
    private readonly reader: RemindersReader,
    private readonly messages: ReadableMessages,
    private readonly sender: MessageSender,
    private readonly decisions: Decisions,
  ) {}

  async carryOut(
    { key, data: { userId, reminderId } }: Trigger<ReminderDue['data']>,
    pass: ReadSidePass,
  ): Promise<void> {
    const doc = await this.reader.get(userId, reminderId);
    if (doc?.phase !== 'due') return;
    const isSent = await this.#send(key, userId, doc, pass);
    if (!isSent) await pass.assertValid();
    await this.decisions.carryThrough(
      inStream(remindersDecider, streams.plans(userId), (at) => ({
        type: 'finish-reminder' as const,
        userId,
        at,
        reminderId,
        isSent,
      })),
      causedBy({ key }),
    );
  }

  /** @returns whether it has been sent; otherwise it cannot be */
  async #send(key: string, userId: number, { messageId, note = '' }: Reminder, pass: ReadSidePass): Promise<boolean> {
    const name = `${key}:delivery`;
    const user = this.directory.user(userId);
    if (user === undefined) return false;
    const bot = this.directory.systemBot('notification');
    const target = await this.messages.find(user, messageId);
    // A message looks gone as well when the read models are put back, and the notice would say so for good.
    await pass.assertValid();
    const content = reminderNotice(this.directory, target, note);
    try {
      const message = { type: 'direct', to: [userId], content, client: INTERNAL_CLIENT } as const;
      await this.sender.sendOnce(bot, name, message, causedBy({ key }));
      return true;
    } catch (error) {
      if (!isFinal(error)) throw error;
      // An earlier attempt may have sent it, in a process that ended before it could record that.
      return this.sender.wasSent(bot, name);
    }
  }
}
