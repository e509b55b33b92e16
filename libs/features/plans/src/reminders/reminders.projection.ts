import { type CollectionSchema, projection } from '#read-store';
import { timersOf } from '#timers';
import type { Reminder, ReminderEvent } from './reminders.events.js';

/** A reminder that has not been delivered. */
export interface ReminderDocument extends Reminder {
  userId: number;
  phase: 'waiting' | 'due' | 'failed';
}

export const remindersCollection = {
  name: 'reminders',
  key: 'text',
  fields: { userId: 'integer', deliverAt: 'integer' },
  indexes: [['userId', 'deliverAt']],
} as const satisfies CollectionSchema;

/** Sorts by user and then by ID. */
export function reminderKey(userId: number, reminderId: number): string {
  return `${userId}:${String(reminderId).padStart(16, '0')}`;
}

/** The reminders that have not been delivered, one document each. */
export const remindersProjection = projection<ReminderDocument, ReminderEvent>(remindersCollection, {
  'reminder.added.v1': {
    keys: ({ data }) => [reminderKey(data.userId, data.reminder.reminderId)],
    creates: true,
    evolve: (_doc, { data: { userId, reminder } }) => ({ userId, ...reminder, phase: 'waiting' }),
  },
  'reminder.due.v1': {
    keys: ({ data }) => [reminderKey(data.userId, data.reminderId)],
    evolve: (doc) => doc && { ...doc, phase: 'due' },
  },
  'reminder.failed.v1': {
    keys: ({ data }) => [reminderKey(data.userId, data.reminderId)],
    evolve: (doc) => doc && { ...doc, phase: 'failed' },
  },
  // Without `evolve` the document is removed.
  'reminder.removed.v1': { keys: ({ data }) => [reminderKey(data.userId, data.reminderId)] },
  'reminder.sent.v1': { keys: ({ data }) => [reminderKey(data.userId, data.reminderId)] },
});

/** When the reminders that wait are to be delivered. */
export const reminderTimers = timersOf<ReminderEvent>('reminder', {
  'reminder.added.v1': ({ data }) => [timer(data.userId, data.reminder.reminderId, data.reminder.deliverAt)],
  'reminder.removed.v1': ({ data }) => [timer(data.userId, data.reminderId)],
  'reminder.due.v1': ({ data }) => [timer(data.userId, data.reminderId)],
  'reminder.failed.v1': ({ data }) => [timer(data.userId, data.reminderId)],
});

function timer(userId: number, reminderId: number, dueAt?: number) {
  return { subject: reminderKey(userId, reminderId), dueAt };
}
