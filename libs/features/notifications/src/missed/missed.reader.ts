import type { Collection } from '#read-store';
import type { MissedDocument } from './missed.projection.js';

/** Messages of which users are going to be told by mail. */
export class MissedReader {
  constructor(private readonly missed: Collection<MissedDocument>) {}

  /** IDs of the user's messages that are due, ascending. */
  async dueOf(userId: number, now: number): Promise<readonly number[]> {
    const messages = (await this.missed.get(userId))?.messages ?? [];
    const ids = messages.filter(({ dueAt }) => dueAt <= now).map(({ messageId }) => messageId);
    return ids.sort((a, b) => a - b);
  }
}
