import { where, type Collection } from '#read-store';
import { REMINDERS_MAX } from './reminders.decider.js';
import { reminderKey, type ReminderDocument } from './reminders.projection.js';
import { wireReminder, type WireReminder } from './wire-reminder.js';

/** Reminders that have not been delivered. */
export class RemindersReader {
  constructor(private readonly reminders: Collection<ReminderDocument>) {}

  /** All of a user's as clients see them, by delivery time: at most `REMINDERS_BYTES_MAX` bytes. */
  async of(userId: number): Promise<readonly WireReminder[]> {
    const found = await this.reminders.find({
      where: where.eq('userId', userId),
      sort: [{ field: 'deliverAt', direction: 'ascending' }],
      limit: REMINDERS_MAX,
    });
    return found.map(({ doc }) => wireReminder(userId, doc, doc.phase === 'failed'));
  }

  get(userId: number, reminderId: number): Promise<ReminderDocument | undefined> {
    return this.byKey(reminderKey(userId, reminderId));
  }

  byKey(key: string): Promise<ReminderDocument | undefined> {
    return this.reminders.get(key);
  }
}
