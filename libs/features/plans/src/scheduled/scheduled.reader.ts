import { where, type Collection } from '#read-store';
import { SCHEDULED_MAX } from './scheduled.decider.js';
import { scheduledKey, type ScheduledDocument } from './scheduled.projection.js';
import { wireScheduled, type WireScheduled } from './wire-scheduled.js';

/** Scheduled messages that have not been sent. */
export class ScheduledReader {
  constructor(private readonly scheduled: Collection<ScheduledDocument>) {}

  /** All of a user's as clients see them, by delivery time: at most `SCHEDULED_BYTES_MAX` bytes. */
  async of(userId: number): Promise<readonly WireScheduled[]> {
    const found = await this.scheduled.find({
      where: where.eq('userId', userId),
      sort: [{ field: 'deliverAt', direction: 'ascending' }],
      limit: SCHEDULED_MAX,
    });
    return found.map(({ doc }) => wireScheduled(userId, doc, doc.phase === 'failed'));
  }

  get(userId: number, scheduledId: number): Promise<ScheduledDocument | undefined> {
    return this.byKey(scheduledKey(userId, scheduledId));
  }

  byKey(key: string): Promise<ScheduledDocument | undefined> {
    return this.scheduled.get(key);
  }
}
