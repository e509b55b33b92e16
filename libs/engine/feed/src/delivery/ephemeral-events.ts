import type { JsonObject } from '#kernel';
import type { Broadcast } from '#read-store';
import type { FeedEntry, Presentable } from '../log/feed-entry.js';

/** Broadcast topic of ephemeral events. */
const ANNOUNCED = 'announced';

/**
 * Sends clients, in all processes, ephemeral events, which are not in the log: somebody is typing, or a request changed
 * nothing. They have a position all the same, so that no client receives them after newer events. A client that is not
 * polling misses them.
 */
export class EphemeralEvents {
  constructor(private readonly broadcast: Broadcast) {}

  /**
   * Sends an entry to its audience as of a position; the feature of the entry's type presents it, without preparation.
   * @param position of the log at which it held: read before the entry's contents were looked up
   */
  async announce(entry: FeedEntry, position: number): Promise<void> {
    await this.broadcast.publish(ANNOUNCED, { ...(entry as unknown as JsonObject), position });
  }
}

/**
 * Subscribes to ephemeral events.
 * @returns a function that unsubscribes
 */
export function hearAnnounced(broadcast: Broadcast, heard: (presentable: Presentable) => void): () => void {
  return broadcast.subscribe(ANNOUNCED, ({ position, ...entry }) => {
    // Processes of an earlier release send no position: what happened since is unknown, so the entry is dropped.
    if (typeof position === 'number') heard({ position, entry: entry as unknown as FeedEntry });
  });
}
