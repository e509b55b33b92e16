import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { Clock } from '#kernel';
import { MessageSender, type SendRequest } from '#messages';
import type { User } from '#organization';
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

@CommandHandler(AddScheduledCommand)
export class AddScheduledHandler implements ICommandHandler<AddScheduledCommand> {
  constructor(
    private readonly messages: MessageSender,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ sender, request, deliverAt }: AddScheduledCommand): Promise<number> {
    assertInFuture(deliverAt, this.clock.nowSeconds());
    const { client, readBySender } = request;
    const message = {
      ...acceptScheduled(await this.messages.decide(sender, request)),
      deliverAt,
      client,
      ...(readBySender === undefined ? undefined : { readBySender }),
    };
    const { userId } = sender;
    const at = this.clock.nowSeconds();
    const command = { type: 'add-scheduled', userId, at, message } as const;
    const { events } = await this.runner.run(scheduledDecider, streams.plans(userId), command);
    const [added] = events;
    if (added?.type !== 'scheduled-message.added.v1') throw new Error('A message was accepted and not scheduled.');
    return added.data.message.scheduledId;
  }
}
