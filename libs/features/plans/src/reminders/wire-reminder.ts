import type { Reminder } from './reminders.events.js';

/** A reminder as clients see it (endpoints.md §6). */
export type WireReminder = {
  readonly reminder_id: number;
  readonly type: 'private';
  readonly to: readonly [number];
  readonly content: string;
  readonly rendered_content: string;
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
  readonly reminder_target_message_id: number;
};

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
