import { type Clock, Repetition } from '#kernel';
import type { Directory } from '#organization';
import { positionOf } from './event-queue.js';
import type { FeedRetention } from '../log/feed-retention.js';
import type { QueueStore } from './queue-store.js';
import { isLost } from './queue-registry.js';

const SWEEP_EVERY_MS = 60_000;

export interface QueueReaperParts {
  readonly directory: Directory;
  readonly records: QueueStore;
  readonly retention: FeedRetention;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Runs beside the one writer of the feed, while other processes serve the queues: removes the records of queues whose
 * process is gone and that no other process took over, and prunes the feed that no queue needs.
 */
export class QueueReaper {
  readonly #sweeps = new Repetition(() => this.sweep(), SWEEP_EVERY_MS);

  constructor(private readonly parts: QueueReaperParts) {}

  start(): void {
    this.#sweeps.start(this.parts.onError);
  }

  /** Stops after the sweep in progress. */
  close(): Promise<void> {
    return this.#sweeps.stop();
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
