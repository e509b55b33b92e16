import type { SideStore } from '#read-store';
import type { EventQueue } from './event-queue.js';
import type { SavedQueue } from './queue-settings.js';
import { readSavedQueue, savedQueue } from './queue-settings.js';

const QUEUES = 'queues';

/** A queue as it is remembered; `saved` is undefined when this version cannot read it. */
export interface QueueRecord {
  readonly queueId: string;
  readonly saved: SavedQueue | undefined;
}

/** What is remembered of queues, so that they outlive the process and another one can serve them. */
export class QueueRecords {
  constructor(private readonly side: SideStore) {}

  async all(): Promise<readonly QueueRecord[]> {
    return (await this.side.list(QUEUES)).map(({ id, value }) => ({ queueId: id, saved: readSavedQueue(value) }));
  }

  async find(queueId: string): Promise<SavedQueue | undefined> {
    const value = await this.side.get(QUEUES, queueId);
    return value === undefined ? undefined : readSavedQueue(value);
  }

  /**
   * @param activeAtMs when the queue was polled last
   * @param server by whom
   */
  async save(queue: EventQueue, activeAtMs: number, server: string): Promise<void> {
    const { queueId, userId, settings, lifespanMs, startId, ackedId } = queue;
    queue.savedId = ackedId;
    queue.savedActiveAtMs = activeAtMs;
    const saved = { userId, settings, lifespanMs, startId, ackedId, activeAtMs, server };
    await this.side.put(QUEUES, queueId, savedQueue(saved));
  }

  async remove(queueId: string): Promise<void> {
    await this.side.remove(QUEUES, queueId);
  }
}
