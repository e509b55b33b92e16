import type { JsonObject } from '#kernel';
import type { Broadcast } from '#read-store';
import type { FeedEntry } from './feed-entry.js';

/** What is announced, for who listens. */
export const ANNOUNCED = 'announced';

/** Tells clients, in all processes, what is no fact: that somebody is typing, or that a request changed nothing. Who is not listening misses it. */
export class Announcer {
  constructor(private readonly broadcast: Broadcast) {}

  /** To the audience as of now; the feature that knows the entry's type presents it, with nothing prepared. */
  async announce(entry: FeedEntry): Promise<void> {
    await this.broadcast.publish(ANNOUNCED, entry as unknown as JsonObject);
  }
}
