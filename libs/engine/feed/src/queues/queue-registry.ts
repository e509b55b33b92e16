import { forEachInBatches, type Clock, newId } from '#kernel';
import type { Broadcast } from '#read-store';
import { EventQueue, positionOf } from './event-queue.js';
import type { QueueStore } from './queue-store.js';
import { SharedSettings } from './queue-settings.js';
import type { SavedQueue } from './queue-settings.js';

/** A client that registers repeatedly loses its oldest idle queues, instead of exhausting the server's memory. */
export const QUEUES_PER_USER_MAX = 1000;

/** Tabs of a browser, of which each may have a queue. */
export const QUEUES_PER_SESSION_MAX = 10;

/** Broadcast topic that tells other processes of a removed queue. */
const REMOVED = 'queue-removed';
/** Maximum records written at a time. */
const SAVED_AT_ONCE = 50;
/** A process records that it serves a queue at least this often per lifespan. */
const SIGNS_PER_LIFESPAN = 4;
/** Margin for clock differences between machines, and for lifespans shorter than the interval of these records. */
const LOST_MARGIN_MS = 180_000;

export interface QueueRegistryParts {
  readonly records: QueueStore;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Set when other processes serve the same clients: any of them may be polled for any queue. */
  readonly broadcast?: Broadcast;
}

/**
 * Queues of this process, and their records. A single process serves all queues. One of several takes over a queue when
 * it is polled for it, and forgets it when another one has been polled since.
 */
export class QueueRegistry {
  readonly #queues = new Map<string, EventQueue>();
  readonly #byUser = new Map<number, Set<EventQueue>>();
  /** IDs of queues whose records are being removed. */
  readonly #dropping = new Set<string>();
  readonly #settings = new SharedSettings();
  /** This process's name for the other processes. */
  readonly #server = newId();
  #unsubscribe: () => void = () => undefined;

  constructor(private readonly parts: QueueRegistryParts) {}

  get size(): number {
    return this.#queues.size;
  }

  get isShared(): boolean {
    return this.parts.broadcast !== undefined;
  }

  values(): Iterable<EventQueue> {
    return this.#queues.values();
  }

  ofUser(userId: number): Iterable<EventQueue> {
    return this.#byUser.get(userId) ?? [];
  }

  /** Loads the queues of the last run, if this process is the only one, each with a fresh idle time. */
  async open(head: number): Promise<void> {
    const { records, broadcast, clock } = this.parts;
    if (broadcast !== undefined) {
      this.#unsubscribe = broadcast.subscribe(REMOVED, ({ queue_id: queueId }) => {
        const queue = typeof queueId === 'string' ? this.#queues.get(queueId) : undefined;
        if (queue !== undefined) this.#forget(queue);
      });
      return;
    }
    const nowMs = clock.nowMs();
    for (const { queueId, saved } of await records.all()) {
      // A queue that is ahead of the log belongs to another log.
      if (saved === undefined || positionOf(saved.ackedId) > head) await records.remove(queueId);
      else this.#restore(queueId, saved, nowMs);
    }
  }

  close(): void {
    this.#unsubscribe();
  }

  /** Finds the user's queue, if this process serves it. */
  findHere(queueId: string, userId: number): EventQueue | undefined {
    const queue = this.#queues.get(queueId);
    return queue?.userId === userId ? queue : undefined;
  }

  /** Finds the user's queue, whichever process has served it so far. */
  async find(queueId: string, userId: number): Promise<EventQueue | undefined> {
    if (this.isShared && !this.#queues.has(queueId)) await this.#takeUp(queueId);
    return this.findHere(queueId, userId);
  }

  /** Adds a queue; it is stored when the promise resolves, or as soon as the disk has room (`QueueStore`). */
  async add(
    queueId: string,
    userId: number,
    queue: Pick<SavedQueue, 'settings' | 'lifespanMs' | 'startId' | 'session'>,
  ): Promise<void> {
    const nowMs = this.parts.clock.nowMs();
    this.#makeRoom(userId, queue.session);
    const saved = { userId, ...queue, ackedId: queue.startId };
    await this.parts.records.save(this.#restore(queueId, saved, nowMs), nowMs, this.#server);
  }

  /** Removes the queue in all processes. */
  async drop(queue: EventQueue): Promise<void> {
    if (!this.#forget(queue)) return;
    // Until the record is gone, a poll must not take the queue up from it.
    this.#dropping.add(queue.queueId);
    try {
      await this.parts.records.remove(queue.queueId);
    } finally {
      this.#dropping.delete(queue.queueId);
    }
    await this.parts.broadcast?.publish(REMOVED, { queue_id: queue.queueId });
  }

  /** Called when the queue was not polled here for its lifespan: removes it, unless it was polled elsewhere. */
  async expire(queue: EventQueue): Promise<void> {
    const isElsewhere = await this.#isElsewhere(queue);
    if (!queue.hasExpired(this.parts.clock.nowMs())) return;
    if (isElsewhere) this.#forget(queue);
    else await this.drop(queue);
  }

  /** Saves the queues' acknowledgements and, among several processes, that they are alive. */
  async save(atMost: number): Promise<void> {
    if (!(await this.parts.records.flush())) return;
    const nowMs = this.parts.clock.nowMs();
    const due: EventQueue[] = [];
    for (const queue of this.#queues.values()) if (this.#isDue(queue, nowMs)) due.push(queue);
    const count = this.isShared ? due.length : atMost;
    await forEachInBatches(SAVED_AT_ONCE, due.slice(0, count), (queue) => this.#save(queue, nowMs));
  }

  async #save(queue: EventQueue, nowMs: number): Promise<void> {
    const { turn, polls } = queue;
    // The client may have moved to another process, whose record is newer.
    if (polls === 0 && (await this.#isElsewhere(queue)) && queue.turn === turn) this.#forget(queue);
    if (!queue.isGone) await this.parts.records.save(queue, queue.activeAtMs(nowMs), this.#server);
  }

  /** Whether another process has taken over or removed the queue since. */
  async #isElsewhere({ queueId }: EventQueue): Promise<boolean> {
    return this.isShared && (await this.parts.records.find(queueId))?.server !== this.#server;
  }

  #isDue(queue: EventQueue, nowMs: number): boolean {
    if (queue.savedId !== queue.ackedId) return true;
    return this.isShared && queue.activeAtMs(nowMs) - queue.savedActiveAtMs > queue.lifespanMs / SIGNS_PER_LIFESPAN;
  }

  async #takeUp(queueId: string): Promise<EventQueue | undefined> {
    const { records, clock } = this.parts;
    if (this.#dropping.has(queueId)) return undefined;
    const saved = await records.find(queueId);
    if (this.#dropping.has(queueId)) return undefined;
    const known = this.#queues.get(queueId);
    if (known !== undefined || saved === undefined) return known;
    const nowMs = clock.nowMs();
    if (isLost(saved, nowMs)) return undefined;
    const queue = this.#restore(queueId, saved, nowMs);
    await records.save(queue, nowMs, this.#server);
    return queue;
  }

  #restore(queueId: string, saved: Omit<SavedQueue, 'activeAtMs' | 'server'>, nowMs: number): EventQueue {
    const { userId, lifespanMs, startId, ackedId, session } = saved;
    const settings = this.#settings.share(saved.settings);
    const queue = new EventQueue(queueId, userId, settings, lifespanMs, startId, ackedId, nowMs, session);
    this.#queues.set(queueId, queue);
    const queues = this.#byUser.get(userId);
    if (queues === undefined) this.#byUser.set(userId, new Set([queue]));
    else queues.add(queue);
    return queue;
  }

  /** @returns false when it was not here any more */
  #forget(queue: EventQueue): boolean {
    queue.isGone = true;
    queue.held?.release();
    if (this.#queues.get(queue.queueId) !== queue) return false;
    this.#queues.delete(queue.queueId);
    this.#settings.release(queue.settings);
    const queues = this.#byUser.get(queue.userId);
    queues?.delete(queue);
    if (queues?.size === 0) this.#byUser.delete(queue.userId);
    return true;
  }

  #makeRoom(userId: number, session: string | undefined): void {
    const queues = [...this.ofUser(userId)];
    if (session !== undefined) {
      const ofSession = queues.filter((queue) => queue.session === session);
      if (ofSession.length >= QUEUES_PER_SESSION_MAX) this.#dropOldest(ofSession);
    }
    if (queues.length >= QUEUES_PER_USER_MAX) this.#dropOldest(queues);
  }

  #dropOldest(queues: readonly EventQueue[]): void {
    let oldest: EventQueue | undefined;
    for (const queue of queues) {
      if (!queue.isGone && (oldest === undefined || idleRank(queue) < idleRank(oldest))) oldest = queue;
    }
    if (oldest !== undefined) this.drop(oldest).catch(this.parts.onError);
  }
}

/**
 * Whether no process can be serving the queue any more: its lifespan is over, with a margin, since a process that is
 * polled for it records that only now and then.
 */
export function isLost({ activeAtMs, lifespanMs }: SavedQueue, nowMs: number): boolean {
  return nowMs - activeAtMs > lifespanMs * (1 + 2 / SIGNS_PER_LIFESPAN) + LOST_MARGIN_MS;
}

/** In this time the process that serves the queue renews its record. */
export function signedWithinMs({ lifespanMs }: Pick<SavedQueue, 'lifespanMs'>): number {
  return lifespanMs / SIGNS_PER_LIFESPAN + LOST_MARGIN_MS;
}

/** A queue that is being polled ranks last. */
function idleRank(queue: EventQueue): number {
  return queue.polls > 0 ? Infinity : queue.idleSinceMs;
}
