import type { FeedRecord } from './feed-history.js';
import type { FeedTail } from './feed-tail.js';
import type { LiveDelivery } from './live-delivery.js';

/** Hears what the feed gains. */
export interface FeedListener {
  /** The feed stands at this position; what was before is in the store alone. */
  startAt(position: number): void;
  /** These records were committed, in order, and with them everything up to `head`. */
  publish(records: readonly FeedRecord[], head: number): void;
}

/** The newest end of the feed in a process that serves clients: kept in memory, and told to the polls that wait. */
export class LiveFeed implements FeedListener {
  constructor(
    private readonly tail: FeedTail,
    private readonly delivery: LiveDelivery,
  ) {}

  startAt(position: number): void {
    this.tail.startAt(position);
    this.delivery.startAt(position);
  }

  publish(records: readonly FeedRecord[], head: number): void {
    this.tail.publish(records, head);
    this.delivery.publish(records, head);
  }
}

/** In a process that writes the feed and serves no clients. */
export const NOBODY_LISTENS: FeedListener = {
  startAt: () => undefined,
  publish: () => undefined,
};
