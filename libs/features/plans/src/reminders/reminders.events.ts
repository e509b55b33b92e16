import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** Who is reminded. */
const userId = Id;

const Reminder = exactly({
  /** Counts up by user from 1, and is never used again. */
  reminderId: Id,
  /** The message that it is about. */
  messageId: Id,
  /** Markdown; absent when the user gave none. */
  note: Type.Optional(Type.String({ minLength: 1 })),
  /** What lists show, in Markdown and HTML. It does not quote the message, which may change or get out of sight. */
  content: Type.String(),
  rendered: Type.String(),
  deliverAt: At,
});

export const reminderAdded = eventType('reminder.added.v1', exactly({ userId, reminder: Reminder, at: At }));
export const reminderRemoved = eventType('reminder.removed.v1', exactly({ userId, reminderId: Id, at: At }));
/** The reminder became due, and is being delivered. */
export const reminderDue = eventType(
  'reminder.due.v1',
  exactly({ userId, reminderId: Id, at: At, entails: Type.Literal('delivery') }),
);
export const reminderSent = eventType('reminder.sent.v1', exactly({ userId, reminderId: Id, at: At }));
/** The reminder could not be delivered, because the user's account is deactivated. It stays. */
export const reminderFailed = eventType('reminder.failed.v1', exactly({ userId, reminderId: Id, at: At }));

export const reminderEventTypes = [reminderAdded, reminderRemoved, reminderDue, reminderSent, reminderFailed] as const;

export type Reminder = EventOf<typeof reminderAdded>['data']['reminder'];
export type ReminderDue = EventOf<typeof reminderDue>;
export type ReminderEvent = EventOf<(typeof reminderEventTypes)[number]>;
