import { atOnce, type Clock, newId } from '#kernel';
import type { Broadcast } from '#read-store';
import { EventQueue, positionOf } from './event-queue.js';
import type { QueueSettings } from './feed-entry.js';
import { NO_EVENTS } from './held-polls.js';
import type { QueueRecords } from './queue-records.js';
import { SharedSettings } from './queue-settings.js';
import type { SavedQueue } from './queue-settings.js';

/** A client that registers over and over loses its oldest idle queues, not the server its memory. */
export const QUEUES_PER_USER_MAX = 1000;

/** Tells other processes of a queue that is no more. */
const REMOVED = 'queue-removed';
/** How many records are written at a time. */
const SAVED_AT_ONCE = 50;
/** A process that serves a queue says so at least this often in its lifespan. */
const SIGNS_PER_LIFESPAN = 4;
/** Allowed for clocks that differ between machines, and for lifespans that are shorter than signs are far apart. */
const LOST_MARGIN_MS = 180_000;

export interface QueueTableParts {
  readonly records: QueueRecords;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Given when other processes serve the same clients: any of them may be polled for any queue. */
  readonly broadcast?: Broadcast;
}

/**
 * The queues that this process serves, and their records. A process on its own serves all there are. One of several takes
 * up a queue when it is polled for it, and forgets it when another one has been polled since.
 */
export class QueueTable {
  readonly #queues = new Map<string, EventQueue>();
  readonly #byUser = new Map<number, Set<EventQueue>>();
  readonly #settings = new SharedSettings();
  /** What other processes know this one by. */
  readonly #server = newId();
  #deafen: () => void = () => undefined;

  constructor(private readonly parts: QueueTableParts) {}

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

  /** Takes up what the last run left, if this process is the only one, each queue with a fresh idle time. */
  async open(head: number): Promise<void> {
    const { records, broadcast, clock } = this.parts;
    if (broadcast !== undefined) {
      this.#deafen = broadcast.subscribe(REMOVED, ({ queue_id: queueId }) => {
        const queue = typeof queueId === 'string' ? this.#queues.get(queueId) : undefined;
        if (queue !== undefined) this.#forget(queue);
      });
      return;
    }
    const nowMs = clock.nowMs();
    for (const { queueId, saved } of await records.all()) {
      // A queue that is ahead of the log belongs to a log that is not there any more.
      if (saved === undefined || positionOf(saved.ackedId) > head) await records.remove(queueId);
      else this.#restore(queueId, saved, nowMs);
    }
  }

  close(): void {
    this.#deafen();
  }

  /** The user's queue of this name, wherever it was served so far. */
  async find(queueId: string, userId: number): Promise<EventQueue | undefined> {
    const queue = this.#queues.get(queueId) ?? (this.isShared ? await this.#takeUp(queueId) : undefined);
    return queue?.userId === userId ? queue : undefined;
  }

  /** Adds a new queue; it is remembered when the promise resolves. */
  async add(
    queueId: string,
    userId: number,
    settings: QueueSettings,
    lifespanMs: number,
    startId: number,
  ): Promise<void> {
    const nowMs = this.parts.clock.nowMs();
    this.#makeRoom(userId);
    const saved = { userId, settings, lifespanMs, startId, ackedId: startId };
    await this.parts.records.save(this.#restore(queueId, saved, nowMs), nowMs, this.#server);
  }

  /** Ends the queue for everybody. */
  async drop(queue: EventQueue): Promise<void> {
    if (!this.#forget(queue)) return;
    await this.parts.records.remove(queue.queueId);
    await this.parts.broadcast?.publish(REMOVED, { queue_id: queue.queueId });
  }

  /** Nobody polled it here for its lifespan: it ends, unless it was polled elsewhere. */
  async expire(queue: EventQueue): Promise<void> {
    const isElsewhere = await this.#isElsewhere(queue);
    if (!queue.hasExpired(this.parts.clock.nowMs())) return;
    if (isElsewhere) this.#forget(queue);
    else await this.drop(queue);
  }

  /** Writes down how far queues have come, and, among several processes, that they are alive. */
  async save(atMost: number): Promise<void> {
    const nowMs = this.parts.clock.nowMs();
    const due: EventQueue[] = [];
    for (const queue of this.#queues.values()) if (this.#isDue(queue, nowMs)) due.push(queue);
    const count = this.isShared ? due.length : atMost;
    await atOnce(SAVED_AT_ONCE, due.slice(0, count), (queue) => this.#save(queue, nowMs));
  }

  async #save(queue: EventQueue, nowMs: number): Promise<void> {
    const { turn, polls } = queue;
    // Its client may have gone on at another process, which knows better.
    if (polls === 0 && (await this.#isElsewhere(queue)) && queue.turn === turn) this.#forget(queue);
    if (!queue.isGone) await this.parts.records.save(queue, queue.activeAtMs(nowMs), this.#server);
  }

  /** Whether another process has taken it up since, or ended it. */
  async #isElsewhere({ queueId }: EventQueue): Promise<boolean> {
    return this.isShared && (await this.parts.records.find(queueId))?.server !== this.#server;
  }

  #isDue(queue: EventQueue, nowMs: number): boolean {
    if (queue.savedId !== queue.ackedId) return true;
    return this.isShared && queue.activeAtMs(nowMs) - queue.savedActiveAtMs > queue.lifespanMs / SIGNS_PER_LIFESPAN;
  }

  async #takeUp(queueId: string): Promise<EventQueue | undefined> {
    const { records, clock } = this.parts;
    const saved = await records.find(queueId);
    const known = this.#queues.get(queueId);
    if (known !== undefined || saved === undefined) return known;
    const nowMs = clock.nowMs();
    if (isLost(saved, nowMs)) return undefined;
    const queue = this.#restore(queueId, saved, nowMs);
    await records.save(queue, nowMs, this.#server);
    return queue;
  }

  #restore(queueId: string, saved: Omit<SavedQueue, 'activeAtMs' | 'server'>, nowMs: number): EventQueue {
    const { userId, lifespanMs, startId, ackedId } = saved;
    const settings = this.#settings.share(saved.settings);
    const queue = new EventQueue(queueId, userId, settings, lifespanMs, startId, ackedId, nowMs);
    this.#queues.set(queueId, queue);
    const queues = this.#byUser.get(userId);
    if (queues === undefined) this.#byUser.set(userId, new Set([queue]));
    else queues.add(queue);
    return queue;
  }

  /** @returns false when it was not here any more */
  #forget(queue: EventQueue): boolean {
    queue.isGone = true;
    queue.held?.end(NO_EVENTS);
    if (this.#queues.get(queue.queueId) !== queue) return false;
    this.#queues.delete(queue.queueId);
    this.#settings.release(queue.settings);
    const queues = this.#byUser.get(queue.userId);
    queues?.delete(queue);
    if (queues?.size === 0) this.#byUser.delete(queue.userId);
    return true;
  }

  #makeRoom(userId: number): void {
    const queues = this.#byUser.get(userId);
    if (queues === undefined || queues.size < QUEUES_PER_USER_MAX) return;
    let oldest: EventQueue | undefined;
    for (const queue of queues) {
      if (oldest === undefined || idleRank(queue) < idleRank(oldest)) oldest = queue;
    }
    if (oldest !== undefined) this.drop(oldest).catch(this.parts.onError);
  }
}

/**
 * Whether nobody can be serving the queue any more: its lifespan is over, counted generously, since a process that is
 * polled for it says so only now and then.
 */
export function isLost({ activeAtMs, lifespanMs }: SavedQueue, nowMs: number): boolean {
  return nowMs - activeAtMs > lifespanMs * (1 + 2 / SIGNS_PER_LIFESPAN) + LOST_MARGIN_MS;
}

/** A queue that is polled right now goes last. */
function idleRank(queue: EventQueue): number {
  return queue.polls > 0 ? Infinity : queue.idleSinceMs;
}
