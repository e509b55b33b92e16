import type { Clock } from '#kernel';
import type { Directory } from '#people';
import type { GatedWork, ReadSidePass } from '#read-store';
import { positionOf } from './event-queue.js';
import type { FeedRetention } from '../log/feed-retention.js';
import type { QueueStore } from './queue-store.js';
import { isLost, signedWithinMs } from './queue-registry.js';
import type { SavedQueue } from './queue-settings.js';

const SWEEP_EVERY_MS = 60_000;

export interface QueueReaperParts {
  readonly directory: Directory;
  readonly records: QueueStore;
  readonly retention: FeedRetention;
  readonly clock: Clock;
}

/**
 * Runs beside the one writer of the feed, while other processes serve the queues: removes the records of queues whose
 * process is gone and that no other process took over, and prunes the feed that no queue needs. Records may be older than they look:
 * one that was put back is renewed by the process that serves its queue, so a record counts once that has not happened in time.
 */
export class QueueReaper implements GatedWork {
  readonly name = 'lost-queues';
  readonly complaint = 'Queues that no process serves any more cannot be removed at the moment.';
  readonly everyMs = SWEEP_EVERY_MS;
  readonly removes = true;
  /** By queue ID: records that look lost, and since when. */
  #lost = new Map<string, number>();

  constructor(private readonly parts: QueueReaperParts) {}

  async turn(pass: ReadSidePass): Promise<void> {
    const { directory, records, retention, clock } = this.parts;
    const nowMs = clock.nowMs();
    const head = directory.position;
    let needed = Infinity;
    const all = await records.all();
    const before = this.#lost;
    this.#lost = new Map();
    await pass.assertValid();
    for (const { queueId, saved } of all) {
      if (saved === undefined || this.#isOver(queueId, saved, before.get(queueId), nowMs))
        await records.remove(queueId);
      else needed = Math.min(needed, positionOf(saved.ackedId));
    }
    await retention.sweep(needed, head, nowMs);
  }

  #isOver(queueId: string, saved: SavedQueue, knownSinceMs: number | undefined, nowMs: number): boolean {
    if (!isLost(saved, nowMs)) return false;
    const sinceMs = knownSinceMs ?? nowMs;
    this.#lost.set(queueId, sinceMs);
    return nowMs - sinceMs > signedWithinMs(saved);
  }
}
