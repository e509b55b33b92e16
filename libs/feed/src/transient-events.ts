import type { Clock } from '#kernel';
import type { Directory } from '#organization';
import type { Broadcast } from '#read-store';
import { ANNOUNCED } from './announcer.js';
import { isAddressed } from './audience.js';
import type { EventQueue } from './event-queue.js';
import type { ClientEvent, FeedEntry, Presentable } from './feed-entry.js';
import { eventText, type Presenter } from './presenter.js';
import type { QueueTable } from './queue-table.js';

/** A client that is between two polls gets what was said meanwhile; later it is not true any more. */
const KEPT_MS = 15_000;
/** So much of it for one queue; the oldest goes first. */
const KEPT_PER_QUEUE_MAX = 20;

export interface TransientEventsParts {
  readonly directory: Directory;
  readonly presenter: Presenter;
  readonly table: QueueTable;
  readonly broadcast: Broadcast;
  readonly clock: Clock;
  /** Position up to which every waiting poll has been told what is for it. */
  readonly toldUpTo: () => number;
  readonly onError: (error: unknown) => void;
}

/**
 * Hands what is announced on to the queues that this process serves. Their IDs lie between those of facts, like those of heartbeats.
 */
export class TransientEvents {
  #deafen: () => void = () => undefined;

  constructor(private readonly parts: TransientEventsParts) {}

  start(): void {
    this.#deafen = this.parts.broadcast.subscribe(ANNOUNCED, (entry) => {
      try {
        this.#tell(entry as unknown as FeedEntry);
      } catch (error) {
        this.parts.onError(error);
      }
    });
  }

  close(): void {
    this.#deafen();
  }

  /** The JSON text of what a queue, which was looked through up to this position, has not been told; undefined for nothing. */
  take(queue: EventQueue, position: number): string | undefined {
    const kept = queue.kept?.filter(({ untilMs }) => untilMs > this.parts.clock.nowMs());
    queue.kept = undefined;
    const events = kept?.flatMap(({ presentable }) => this.#eventsFor(queue, presentable)) ?? [];
    return events.length === 0 ? undefined : textOf(queue, position, events);
  }

  #tell(entry: FeedEntry): void {
    const { directory, clock, toldUpTo } = this.parts;
    const presentable = { position: directory.position, entry };
    const untilMs = clock.nowMs() + KEPT_MS;
    for (const queue of this.#candidates(entry)) {
      const events = this.#eventsFor(queue, presentable);
      if (events.length === 0) continue;
      const poll = queue.held;
      if (poll === undefined) queue.kept = [...(queue.kept ?? []), { presentable, untilMs }].slice(-KEPT_PER_QUEUE_MAX);
      else poll.end(textOf(queue, Math.max(poll.from, toldUpTo()), events));
    }
  }

  /** What may be told to the queue at this moment. */
  #eventsFor({ queueId, userId, settings }: EventQueue, presentable: Presentable): readonly ClientEvent[] {
    const { directory, presenter } = this.parts;
    const user = directory.user(userId);
    if (user?.isActive !== true) return [];
    const recipient = { queueId, user, settings };
    return isAddressed(directory, presentable, recipient) ? presenter.presentOne(presentable, recipient) : [];
  }

  #candidates({ audience }: FeedEntry): Iterable<EventQueue> {
    const { table } = this.parts;
    if (audience.to !== 'users') return table.values();
    return [...new Set(audience.ids)].flatMap((userId) => [...table.ofUser(userId)]);
  }
}

function textOf(queue: EventQueue, position: number, events: readonly ClientEvent[]): string {
  return `[${events.map((event, index) => eventText(event, queue.passingId(position, index))).join(',')}]`;
}
