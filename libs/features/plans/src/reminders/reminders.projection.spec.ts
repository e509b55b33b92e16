import { projectionSpec } from '#testing';
import { dueIndexProjection } from '#timers';
import type { Reminder, ReminderEvent } from './reminders.events.js';
import { reminderKey, remindersProjection, reminderTimers } from './reminders.projection.js';

const userId = 7;
const at = 1000;
const reminder: Reminder = { reminderId: 1, messageId: 5, content: 'x', rendered: '<p>x</p>', deliverAt: 2000 };
const added: ReminderEvent = { type: 'reminder.added.v1', data: { userId, reminder, at } };
const data = { userId, reminderId: 1, at };
const due: ReminderEvent = { type: 'reminder.due.v1', data: { ...data, entails: 'delivery' } };
const sent: ReminderEvent = { type: 'reminder.sent.v1', data };
const failed: ReminderEvent = { type: 'reminder.failed.v1', data };
const removed: ReminderEvent = { type: 'reminder.removed.v1', data };
const key = reminderKey(userId, 1);

test('each reminder has a document until it is delivered or removed', () => {
  const { given } = projectionSpec(remindersProjection);
  given(added).thenDoc(key, { userId, ...reminder, phase: 'waiting' });
  given(added, due).thenDoc(key, { userId, ...reminder, phase: 'due' });
  given(added, failed).thenDoc(key, { userId, ...reminder, phase: 'failed' });
  given(added, due, sent).thenKeys();
  given(added, removed).thenKeys();
});

test('its timer is set while it waits', () => {
  const { given } = projectionSpec(dueIndexProjection([reminderTimers]));
  const timer = `reminder:${key}`;
  given(added).thenDoc(timer, { kind: 'reminder', subject: key, dueAt: 2000, setBy: '1.organization@0' });
  for (const end of [due, removed, failed]) given(added, end).thenKeys();
});
