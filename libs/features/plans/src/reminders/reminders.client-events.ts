import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, noClientEvents, type Presentable } from '#feed';
import type { ReminderEvent } from './reminders.events.js';
import { wireReminder, type WireReminder, type reminderEventSchemas } from './wire-reminder.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof reminderEventSchemas>;

type Body =
  | { readonly op: 'add'; readonly reminders: readonly [WireReminder] }
  | { readonly op: 'remove'; readonly reminder_id: number };

/** What a user's clients are told of the user's reminders (events.md §3). */
@Injectable()
export class ReminderClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<ReminderEvent> = {
    'reminder.added.v1': ({ data: { userId, reminder } }) => [
      entryFor(userId, { op: 'add', reminders: [wireReminder(userId, reminder, false)] }),
    ],
    'reminder.removed.v1': ({ data: { userId, reminderId } }) => [gone(userId, reminderId)],
    'reminder.sent.v1': ({ data: { userId, reminderId } }) => [gone(userId, reminderId)],
    // Clients are told of the outcome.
    'reminder.due.v1': noClientEvents,
    // A deactivated user has no clients.
    'reminder.failed.v1': noClientEvents,
  };
  override readonly types: ReadonlySet<string> = new Set(['reminders']);

  override present({ entry }: Presentable<Body>): readonly Told[] {
    return [{ type: 'reminders', ...entry.body }];
  }
}

function gone(userId: number, reminderId: number): FeedEntry<Body> {
  return entryFor(userId, { op: 'remove', reminder_id: reminderId });
}

function entryFor(userId: number, body: Body): FeedEntry<Body> {
  return { type: 'reminders', audience: { to: 'users', ids: [userId] }, body };
}
