import {
  described,
  type EventSchemas,
  exact,
  integer,
  list,
  named,
  object,
  text,
  truth,
  tuple,
  type Wire,
} from '#wire';
import type { Reminder } from './reminders.events.js';

/** A reminder as clients see it (endpoints.md §6). */
export const ReminderSchema = named(
  'Reminder',
  object({
    reminder_id: integer,
    type: exact('private'),
    to: described(tuple(integer), 'The user alone.'),
    content: text,
    rendered_content: text,
    scheduled_delivery_timestamp: integer,
    failed: truth,
    reminder_target_message_id: integer,
  }),
);
export type WireReminder = Wire<typeof ReminderSchema>;

export const reminderEventSchemas = {
  'reminders/add': { reminders: list(ReminderSchema) },
  'reminders/remove': { reminder_id: integer },
} satisfies EventSchemas;

export const reminderFieldSchemas = { reminders: list(ReminderSchema) };

export function wireReminder(userId: number, reminder: Reminder, failed: boolean): WireReminder {
  const { reminderId, messageId, content, rendered, deliverAt } = reminder;
  return {
    reminder_id: reminderId,
    type: 'private',
    to: [userId],
    content,
    rendered_content: rendered,
    scheduled_delivery_timestamp: deliverAt,
    failed,
    reminder_target_message_id: messageId,
  };
}
