import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import type { User } from '#users/model';
import { RemindersReader } from './reminders.reader.js';
import type { WireReminder } from './wire-reminder.js';

/** The viewer's reminders that have not been delivered, by delivery time. */
export class ListRemindersQuery extends Query<readonly WireReminder[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

export const listReminders = query(ListRemindersQuery, { reader: RemindersReader }, ({ viewer }, { reader }) =>
  reader.of(viewer.userId),
);
