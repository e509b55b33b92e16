import { Injectable } from '@nestjs/common';
import { streams } from '#event-store';
import { type Decision, Decisions, inStream, PendingReports } from '#feature';
import { type FollowUp, isFinal, type Trigger } from '#follow-ups';
import { badRequest, causedBy, Clock, type Origin } from '#kernel';
import { MessageSender } from '#messages';
import { Directory } from '#people';
import type { ReadSidePass } from '#read-store';
import type { TimerHandler } from '#timers';
import { readOf, requestOf } from './change-scheduled.js';
import type { ScheduledCommand } from './scheduled.commands.js';
import { LATE_MAX_SECONDS, scheduledDecider, SENDER_DEACTIVATED, TOO_LATE } from './scheduled.decider.js';
import type { ScheduledDue, ScheduledMessage } from './scheduled.events.js';
import { userOfScheduled } from './scheduled.projection.js';
import { ScheduledReader } from './scheduled.reader.js';

/** A command on a user's scheduled messages. */
function decide(command: ScheduledCommand): Decision {
  return inStream(scheduledDecider, streams.plans(command.userId), () => command);
}

/** Claims scheduled messages that are due (ADR 21). */
@Injectable()
export class ClaimScheduled implements TimerHandler {
  constructor(
    private readonly directory: Directory,
    private readonly reader: ScheduledReader,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  /** What somebody schedules for the same time is sent as it was scheduled. */
  ownerOf(subject: string): string {
    return userOfScheduled(subject);
  }

  async fire(subject: string, _pass: ReadSidePass, origin: Origin): Promise<void> {
    const doc = await this.reader.byKey(subject);
    if (doc === undefined) return;
    const { userId } = doc;
    const sender = this.directory.user(userId);
    const isSenderActive = sender !== undefined && this.directory.isUsable(sender);
    const claim = {
      type: 'claim-scheduled',
      userId,
      at: this.clock.nowSeconds(),
      read: readOf(doc),
      isSenderActive,
    } as const;
    await this.decisions.carryThrough(decide(claim), origin);
  }
}

/** Sends a scheduled message that has been claimed, once, with the access that its sender has now (endpoints.md §6). */
@Injectable()
export class DeliverScheduled implements FollowUp<ScheduledDue['data']> {
  readonly isUnordered = true;

  constructor(
    private readonly directory: Directory,
    private readonly reader: ScheduledReader,
    private readonly sender: MessageSender,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
    private readonly failures: PendingReports,
  ) {}

  async carryOut(
    { key, data: { userId, scheduledId } }: Trigger<ScheduledDue['data']>,
    pass: ReadSidePass,
  ): Promise<void> {
    const doc = await this.reader.get(userId, scheduledId);
    if (doc?.phase !== 'due') return;
    const { message } = readOf(doc);
    const failure = await this.#send(userId, key, message);
    // A topic or a conversation that may not be begun looks new as well when the read models are put back.
    if (failure !== undefined) {
      await pass.assertValid();
      this.failures.failed({ kind: 'scheduled', target: `user ${userId}`, reason: failure });
    }
    const finish = { type: 'finish-scheduled', userId, at: this.clock.nowSeconds(), message, failure } as const;
    await this.decisions.carryThrough(decide(finish), causedBy({ key }));
  }

  /** @returns why it cannot be sent; undefined when it has been */
  async #send(userId: number, key: string, message: ScheduledMessage): Promise<string | undefined> {
    const name = `${key}:delivery`;
    const sender = this.directory.user(userId);
    if (sender === undefined) return SENDER_DEACTIVATED;
    try {
      if (!this.directory.isUsable(sender)) throw badRequest(SENDER_DEACTIVATED);
      if (this.clock.nowSeconds() - message.deliverAt > LATE_MAX_SECONDS) throw badRequest(TOO_LATE);
      const isToSelf = message.place.kind === 'direct' && message.place.userIds.length === 1;
      const request = { ...requestOf(message), ...(isToSelf ? { readBySender: false } : {}) };
      await this.sender.sendOnce(sender, name, request, causedBy({ key }));
      return undefined;
    } catch (error) {
      if (!isFinal(error)) throw error;
      // An earlier attempt may have sent it, in a process that ended before it could record that.
      return (await this.sender.wasSent(sender, name)) ? undefined : error.message;
    }
  }
}
