import { Command } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { command, inStream } from '#feature';
import { badRequest, Clock } from '#kernel';
import { htmlOf, INTERNAL_CLIENT, MessageSender } from '#messages';
import { ReadableMessages } from '#reading';
import { Directory } from '#people';
import type { User } from '#users/model';
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

export const addReminder = command(
  AddReminderCommand,
  { directory: Directory, messages: ReadableMessages, sender: MessageSender, clock: Clock },
  async ({ actor, request: { messageId, deliverAt, note } }, { directory, messages, sender, clock }) => {
    assertInFuture(deliverAt, clock.nowSeconds());
    const target = await messages.access(actor, messageId);
    const { userId } = actor;
    const words = acceptNote(note);
    const content = reminderContent(directory, target, words);
    const { data } = await sender.decide(directory.systemBot('notification'), {
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
    return inStream(remindersDecider, streams.plans(userId), (at) => ({
      type: 'add-reminder' as const,
      userId,
      at,
      reminder,
    })).answering(({ events: [added] }) => {
      if (added?.type !== 'reminder.added.v1') throw new Error('A reminder was accepted and not added.');
      return added.data.reminder.reminderId;
    });
  },
);

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

export const removeReminder = command(RemoveReminderCommand, {}, ({ actor: { userId }, reminderId }) =>
  inStream(remindersDecider, streams.plans(userId), (at) => ({
    type: 'remove-reminder' as const,
    userId,
    at,
    reminderId,
  })),
);
