import { Command } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { command, inStream } from '#feature';
import { Clock } from '#kernel';
import { MessageSender, type SendRequest } from '#messages';
import type { User } from '#users/model';
import { assertInFuture } from '../timestamps.js';
import { acceptScheduled } from './accept-scheduled.js';
import { scheduledDecider } from './scheduled.decider.js';

/** Schedules a message, and resolves to its ID. @throws Refusal as `scheduledDecider` and `MessageSender.send` */
export class AddScheduledCommand extends Command<number> {
  constructor(
    readonly sender: User,
    readonly request: SendRequest,
    /** Seconds since the epoch. */
    readonly deliverAt: number,
  ) {
    super();
  }
}

export const addScheduled = command(
  AddScheduledCommand,
  { messages: MessageSender, clock: Clock },
  async ({ sender, request, deliverAt }, { messages, clock }) => {
    assertInFuture(deliverAt, clock.nowSeconds());
    const { client, readBySender } = request;
    const message = {
      ...acceptScheduled(await messages.decide(sender, request)),
      deliverAt,
      client,
      ...(readBySender === undefined ? undefined : { readBySender }),
    };
    const { userId } = sender;
    return inStream(scheduledDecider, streams.plans(userId), (at) => ({
      type: 'add-scheduled' as const,
      userId,
      at,
      message,
    })).answering(({ events: [added] }) => {
      if (added?.type !== 'scheduled-message.added.v1') throw new Error('A message was accepted and not scheduled.');
      return added.data.message.scheduledId;
    });
  },
);
