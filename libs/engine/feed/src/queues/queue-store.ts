import type { JsonObject } from '#kernel';
import { type KeyValueStore, ReadStoreUnavailable } from '#read-store';
import type { EventQueue } from './event-queue.js';
import type { SavedQueue } from './queue-settings.js';
import { readSavedQueue, savedQueue } from './queue-settings.js';

const QUEUES = 'queues';

/** A stored queue; `saved` is undefined when this version cannot read it. */
export interface QueueRecord {
  readonly queueId: string;
  readonly saved: SavedQueue | undefined;
}

export interface QueueStoreOptions {
  readonly side: KeyValueStore;
  /** Other processes read the records, so a failed write is an error. */
  readonly isShared: boolean;
  /** Receives the first write that fails. */
  readonly onError: (error: unknown) => void;
}

/**
 * Stores queues, so that they survive the process and another one can serve them. In a single process a write that fails
 * (on a full disk) stays in memory until `flush` succeeds, so that clients can register and read meanwhile. SIGKILL loses
 * unwritten records; their clients get BAD_EVENT_QUEUE_ID and register again.
 */
export class QueueStore {
  /** By queue ID: the record; undefined for a removal. At most as many as there are queues or stored records. */
  readonly #unwritten = new Map<string, JsonObject | undefined>();

  constructor(private readonly options: QueueStoreOptions) {}

  async all(): Promise<readonly QueueRecord[]> {
    return (await this.options.side.list(QUEUES)).map(({ id, value }) => ({
      queueId: id,
      saved: readSavedQueue(value),
    }));
  }

  async find(queueId: string): Promise<SavedQueue | undefined> {
    const value = await this.options.side.get(QUEUES, queueId);
    return value === undefined ? undefined : readSavedQueue(value);
  }

  /**
   * @param activeAtMs time of the queue's last poll
   * @param server the process that was polled
   */
  async save(queue: EventQueue, activeAtMs: number, server: string): Promise<void> {
    const { queueId, userId, settings, lifespanMs, startId, ackedId, session } = queue;
    queue.savedId = ackedId;
    queue.savedActiveAtMs = activeAtMs;
    const saved = {
      userId,
      settings,
      lifespanMs,
      startId,
      ackedId,
      activeAtMs,
      server,
      ...(session === undefined ? {} : { session }),
    };
    await this.#write(queueId, savedQueue(saved));
  }

  async remove(queueId: string): Promise<void> {
    await this.#write(queueId, undefined);
  }

  /** Retries failed writes until one fails again. @returns whether all succeeded */
  async flush(): Promise<boolean> {
    for (const [queueId, value] of [...this.#unwritten]) {
      await this.#write(queueId, value);
      if (this.#unwritten.has(queueId)) return false;
    }
    return true;
  }

  async #write(queueId: string, value: JsonObject | undefined): Promise<void> {
    const { side, isShared, onError } = this.options;
    try {
      if (value === undefined) await side.remove(QUEUES, queueId);
      else await side.put(QUEUES, queueId, value);
      this.#unwritten.delete(queueId);
    } catch (error) {
      if (isShared || !(error instanceof ReadStoreUnavailable)) throw error;
      if (this.#unwritten.size === 0) onError(error);
      this.#unwritten.set(queueId, value);
    }
  }
}
