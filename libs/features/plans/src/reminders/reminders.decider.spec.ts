import { specFor } from '#testing';
import { REMINDERS_BYTES_MAX, REMINDERS_MAX, remindersDecider } from './reminders.decider.js';
import type { Reminder, ReminderEvent } from './reminders.events.js';

const given = specFor(remindersDecider);
const userId = 7;
const idOf = (nth: number): number => userId * 100_000 + nth;
const at = 1000;
const by = { userId, at } as const;
const deliverAt = 2000;

const reminderOf = (nth: number, content = 'soup', time = deliverAt): Reminder => {
  return { reminderId: idOf(nth), messageId: 5, content, rendered: '<p></p>', deliverAt: time };
};
const added = (reminder: Reminder): ReminderEvent => ({ type: 'reminder.added.v1', data: { userId, reminder, at } });
const removed: ReminderEvent = { type: 'reminder.removed.v1', data: { userId, reminderId: idOf(1), at } };
const dueAt = (when: number): ReminderEvent => {
  return { type: 'reminder.due.v1', data: { userId, reminderId: idOf(1), at: when, entails: 'delivery' } };
};
const due = dueAt(deliverAt);
const sent: ReminderEvent = { type: 'reminder.sent.v1', data: { userId, reminderId: idOf(1), at: deliverAt } };
const failed: ReminderEvent = { type: 'reminder.failed.v1', data: { userId, reminderId: idOf(1), at: deliverAt } };

const add = (content = 'soup', time = deliverAt) => {
  const { reminderId: _, ...reminder } = reminderOf(1, content, time);
  return { type: 'add-reminder', ...by, reminder } as const;
};
const remove = { type: 'remove-reminder', ...by, reminderId: idOf(1) } as const;
const claim = (when = deliverAt, isUserActive = true) =>
  ({ type: 'claim-reminder', userId, at: when, reminderId: idOf(1), isUserActive }) as const;
const finish = (isSent: boolean) =>
  ({ type: 'finish-reminder', userId, at: deliverAt, reminderId: idOf(1), isSent }) as const;

test('reminders are numbered by user, and no number is used again', () => {
  given()
    .when(add())
    .then(added(reminderOf(1)));
  given(added(reminderOf(1)), removed)
    .when(add())
    .then(added(reminderOf(2)));
});
test.each([at, at - 1])('one for %i, which is not in the future, is refused', (time) => {
  given().when(add('soup', time)).thenRefused('BAD_REQUEST');
});
test('no more than the limit', () => {
  const all = Array.from({ length: REMINDERS_MAX }, (_, index) => added(reminderOf(index + 1)));
  given(...all.slice(1))
    .when(add())
    .then(added(reminderOf(REMINDERS_MAX + 1)));
  given(...all)
    .when(add())
    .thenRefused('BAD_REQUEST');
});
test('no more bytes than the limit', () => {
  const half = 'x'.repeat(REMINDERS_BYTES_MAX / 2 - 200);
  const full = [added(reminderOf(1, half)), added(reminderOf(2, half))];
  given(...full)
    .when(add('x'.repeat(500)))
    .thenRefused('BAD_REQUEST');
  for (const end of [removed, sent])
    given(...full, end)
      .when(add('x'.repeat(500)))
      .then(added(reminderOf(3, 'x'.repeat(500))));
});
test('one that waits or failed can be removed, and no other', () => {
  given(added(reminderOf(1)))
    .when(remove)
    .then(removed);
  given(added(reminderOf(1)), failed)
    .when(remove)
    .then(removed);
  for (const past of [[], [added(reminderOf(1)), due], [added(reminderOf(1)), due, sent]])
    given(...past)
      .when(remove)
      .thenRefused('NOT_FOUND');
});
test('one that is due is claimed once, however late', () => {
  given(added(reminderOf(1)))
    .when(claim())
    .then(due);
  given(added(reminderOf(1)))
    .when(claim(9e9))
    .then(dueAt(9e9));
  given(added(reminderOf(1)))
    .when(claim(deliverAt - 1))
    .thenNothing();
  given(added(reminderOf(1)), removed)
    .when(claim())
    .thenNothing();
  given(added(reminderOf(1)), due)
    .when(claim())
    .thenNothing();
});
test('those of the deactivated fail', () => {
  given(added(reminderOf(1)))
    .when(claim(deliverAt, false))
    .then(failed);
  given(added(reminderOf(1)), failed)
    .when(claim())
    .thenNothing();
});
test('a delivery ends once, with its outcome', () => {
  const claimed = [added(reminderOf(1)), due];
  given(...claimed)
    .when(finish(true))
    .then(sent);
  given(...claimed)
    .when(finish(false))
    .then(failed);
  given(...claimed, sent)
    .when(finish(false))
    .thenNothing();
});
