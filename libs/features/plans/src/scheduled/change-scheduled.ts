import { Command } from '@nestjs/cqrs';
import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { command, inStream } from '#feature';
import { badRequest, Clock, KeyedMutex, originFrom, Refusal } from '#kernel';
import { MessageSender, type SendRequest } from '#messages';
import type { User } from '#users/model';
import { assertInFuture } from '../timestamps.js';
import { acceptScheduled } from './accept-scheduled.js';
import type { ReadScheduled, ScheduledCommand } from './scheduled.commands.js';
import { scheduledDecider } from './scheduled.decider.js';
import type { ScheduledMessage } from './scheduled.events.js';
import type { ScheduledDocument } from './scheduled.projection.js';
import { ScheduledReader } from './scheduled.reader.js';

/** Attempts when requests to other processes change the same message at the same time. */
const ATTEMPTS_MAX = 4;

/** What is to change; undefined keeps what there is. */
export interface ScheduledChange {
  readonly type: SendRequest['type'] | undefined;
  readonly to: number | readonly number[] | undefined;
  readonly topic: string | undefined;
  readonly content: string | undefined;
  /** Seconds since the epoch. */
  readonly deliverAt: number | undefined;
}

/** Changes a scheduled message of the sender's. @throws Refusal as `scheduledDecider` and `MessageSender.send` */
export class ChangeScheduledCommand extends Command<void> {
  constructor(
    readonly sender: User,
    readonly scheduledId: number,
    readonly change: ScheduledChange,
  ) {
    super();
  }
}

/** Changes scheduled messages, each by one request at a time. */
@Injectable()
export class ScheduledChanges {
  readonly #mutex = new KeyedMutex();

  constructor(
    private readonly messages: MessageSender,
    private readonly reader: ScheduledReader,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  async make({ sender, scheduledId, change }: ChangeScheduledCommand): Promise<void> {
    assertComplete(change);
    if (change.deliverAt !== undefined) assertInFuture(change.deliverAt, this.clock.nowSeconds());
    await this.#mutex.run(`${sender.userId}:${scheduledId}`, () => this.#change(sender, scheduledId, change));
  }

  async #change(sender: User, scheduledId: number, change: ScheduledChange): Promise<void> {
    const stream = streams.plans(sender.userId);
    for (let attempt = 1; ; attempt++) {
      try {
        const command = await this.#command(sender, scheduledId, change);
        await this.runner.run(scheduledDecider, stream, command, originFrom(sender));
        return;
      } catch (error) {
        const isRace = error instanceof Refusal && error.code === 'SERVER_NOT_READY';
        if (!isRace || attempt === ATTEMPTS_MAX) throw error;
        await this.runner.catchUp(stream);
      }
    }
  }

  async #command(sender: User, scheduledId: number, change: ScheduledChange): Promise<ScheduledCommand> {
    const { userId } = sender;
    const doc = await this.reader.get(userId, scheduledId);
    const from = doc && readOf(doc);
    // What is being sent is not judged again: the decider refuses to change it.
    const to = from && doc.phase !== 'due' ? await this.#changed(sender, from.message, change) : from?.message;
    return {
      type: 'change-scheduled',
      userId,
      at: this.clock.nowSeconds(),
      scheduledId,
      change: from && to && { from, to },
      isTimed: change.deliverAt !== undefined,
    };
  }

  /** The message after the change, judged again unless only its time changes. */
  async #changed(sender: User, message: ScheduledMessage, change: ScheduledChange): Promise<ScheduledMessage> {
    const { type, to, topic, content, deliverAt = message.deliverAt } = change;
    if ((type ?? to ?? topic ?? content) === undefined) return { ...message, deliverAt };
    const current = requestOf(message);
    const request = {
      ...current,
      type: type ?? current.type,
      to: to ?? current.to,
      content: content ?? message.content,
    };
    const kept = 'topic' in current ? current.topic : '';
    const fact = await this.messages.decide(sender, { ...request, topic: topic ?? kept });
    return { ...message, ...acceptScheduled(fact), deliverAt };
  }
}

export const changeScheduled = command(ChangeScheduledCommand, { changes: ScheduledChanges }, (asked, { changes }) =>
  changes.make(asked),
);

/** Removes a scheduled message of the sender's. @throws Refusal as `scheduledDecider` */
export class RemoveScheduledCommand extends Command<void> {
  constructor(
    readonly sender: User,
    readonly scheduledId: number,
  ) {
    super();
  }
}

export const removeScheduled = command(RemoveScheduledCommand, {}, ({ sender: { userId }, scheduledId }) =>
  inStream(scheduledDecider, streams.plans(userId), (at) => ({
    type: 'remove-scheduled' as const,
    userId,
    at,
    scheduledId,
  })),
);

/** The message without what the read model adds. */
export function readOf({ userId: _user, phase: _phase, changes, ...message }: ScheduledDocument): ReadScheduled {
  return { message, changes };
}

/** The request that sends the message. */
export function requestOf({ place, content, client, readBySender }: ScheduledMessage): SendRequest {
  const common = { content, client, ...(readBySender === undefined ? undefined : { readBySender }) };
  return place.kind === 'channel'
    ? { type: 'channel', to: place.channelId, topic: place.topic, ...common }
    : { type: 'direct', to: place.userIds, ...common };
}

/** @throws Refusal BAD_REQUEST */
function assertComplete({ type, to, topic, content, deliverAt }: ScheduledChange): void {
  if ((type ?? to ?? topic ?? content ?? deliverAt) === undefined) throw badRequest('Nothing to change');
  if (type === undefined) return;
  if (to === undefined) throw badRequest('Recipient required when updating type of scheduled message.');
  if ((type === 'channel' || type === 'stream') && topic === undefined)
    throw badRequest('Topic required when updating scheduled message type to channel.');
}
