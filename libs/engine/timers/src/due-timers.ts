import { type Collection, where } from '#read-store';
import { type TimerDocument, timerKey } from './due-index.projection.js';

/** Reads the timers that are set. */
export class DueTimers {
  constructor(private readonly index: Collection<TimerDocument>) {}

  /** The timers of a kind, those that are due first. */
  async of(kind: string, limit: number): Promise<readonly TimerDocument[]> {
    const found = await this.index.find({
      where: where.eq('kind', kind),
      sort: [{ field: 'dueAt', direction: 'ascending' }],
      limit,
    });
    return found.map(({ doc }) => doc);
  }

  get(kind: string, subject: string): Promise<TimerDocument | undefined> {
    return this.index.get(timerKey(kind, subject));
  }
}
