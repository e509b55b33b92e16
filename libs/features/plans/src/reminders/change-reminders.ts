import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { badRequest, Clock } from '#kernel';
import { htmlOf, INTERNAL_CLIENT, MessageSender } from '#messages';
import { ReadableMessages } from '#reading';
import { Directory, type User } from '#organization';
import { assertInFuture } from '../timestamps.js';
import { reminderContent } from './reminder-content.js';
import { remindersDecider } from './reminders.decider.js';

/** Has a user reminded of a message, and resolves to the reminder's ID. @throws Refusal BAD_REQUEST */
export class AddReminderCommand extends Command<number> {
  constructor(
    readonly actor: User,
    readonly request: {
      readonly messageId: number;
      /** Seconds since the epoch. */
      readonly deliverAt: number;
      readonly note: string | undefined;
    },
  ) {
    super();
  }
}

@CommandHandler(AddReminderCommand)
export class AddReminderHandler implements ICommandHandler<AddReminderCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly messages: ReadableMessages,
    private readonly sender: MessageSender,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, request: { messageId, deliverAt, note } }: AddReminderCommand): Promise<number> {
    assertInFuture(deliverAt, this.clock.nowSeconds());
    const target = await this.messages.access(actor, messageId);
    const { userId } = actor;
    const words = acceptNote(note);
    const content = reminderContent(this.directory, target, words);
    const { data } = await this.sender.decide(this.directory.systemBot('notification'), {
      type: 'direct',
      to: [userId],
      content,
      client: INTERNAL_CLIENT,
    });
    const reminder = {
      messageId,
      ...(words === '' ? undefined : { note: words }),
      content: data.content,
      rendered: htmlOf(data),
      deliverAt,
    };
    const command = { type: 'add-reminder', userId, at: this.clock.nowSeconds(), reminder } as const;
    const { events } = await this.runner.run(remindersDecider, streams.plans(userId), command);
    const [added] = events;
    if (added?.type !== 'reminder.added.v1') throw new Error('A reminder was accepted and not added.');
    return added.data.reminder.reminderId;
  }
}

function acceptNote(note = ''): string {
  if (note.includes('\0')) throw badRequest('note must not contain null bytes');
  return note.trim();
}

/** Removes a reminder of the actor's. @throws Refusal NOT_FOUND */
export class RemoveReminderCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly reminderId: number,
  ) {
    super();
  }
}

@CommandHandler(RemoveReminderCommand)
export class RemoveReminderHandler implements ICommandHandler<RemoveReminderCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ actor: { userId }, reminderId }: RemoveReminderCommand): Promise<void> {
    const command = { type: 'remove-reminder', userId, at: this.clock.nowSeconds(), reminderId } as const;
    await this.runner.run(remindersDecider, streams.plans(userId), command);
  }
}
