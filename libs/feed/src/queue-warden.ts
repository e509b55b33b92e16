import type { Clock } from '#kernel';
import type { Directory } from '#organization';
import { positionOf } from './event-queue.js';
import type { FeedRetention } from './feed-retention.js';
import type { QueueRecords } from './queue-records.js';
import { isLost } from './queue-table.js';

const SWEEP_EVERY_MS = 60_000;

export interface QueueWardenParts {
  readonly directory: Directory;
  readonly records: QueueRecords;
  readonly retention: FeedRetention;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Beside the one writer of the feed, while other processes serve the queues: removes the records of queues whose process
 * is gone and that no other one was polled for, and lets the feed go that no queue needs.
 */
export class QueueWarden {
  #timer: NodeJS.Timeout | undefined;
  #sweep: Promise<void> = Promise.resolve();

  constructor(private readonly parts: QueueWardenParts) {}

  start(): void {
    this.#timer = setInterval(() => {
      this.#sweep = this.#sweep.then(() => this.sweep()).catch(this.parts.onError);
    }, SWEEP_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweep;
  }

  async sweep(): Promise<void> {
    const { directory, records, retention, clock } = this.parts;
    const nowMs = clock.nowMs();
    const head = directory.position;
    let needed = Infinity;
    for (const { queueId, saved } of await records.all()) {
      if (saved === undefined || isLost(saved, nowMs)) await records.remove(queueId);
      else needed = Math.min(needed, positionOf(saved.ackedId));
    }
    await retention.sweep(needed, head, nowMs);
  }
}
