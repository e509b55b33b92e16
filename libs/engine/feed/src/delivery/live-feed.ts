import type { FeedRecord } from '../log/feed-history.js';
import type { FeedTail } from '../log/feed-tail.js';
import type { LiveDelivery } from './live-delivery.js';

/** Listener for new records of the feed. */
export interface FeedListener {
  /** The feed starts at this position; earlier records are only in the store. */
  startAt(position: number): void;
  /** These records were committed, in order, and everything up to `head` with them. */
  publish(records: readonly FeedRecord[], head: number): void;
}

/** Newest end of the feed in a process that serves clients: kept in memory, and delivered to waiting polls. */
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

/** For a process that writes the feed and serves no clients. */
export const NOBODY_LISTENS: FeedListener = {
  startAt: () => undefined,
  publish: () => undefined,
};
