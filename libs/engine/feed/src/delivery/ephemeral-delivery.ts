import type { Clock } from '#kernel';
import type { Directory } from '#people';
import type { Broadcast } from '#read-store';
import { hearAnnounced } from './ephemeral-events.js';
import { isAddressed } from '../log/audience.js';
import { type EventQueue, type KeptEntry, positionOf } from '../queues/event-queue.js';
import type { ClientEvent, FeedEntry, Presentable } from '../log/feed-entry.js';
import { eventText, type Presented, type Presenter } from './presenter.js';
import type { QueueRegistry } from '../queues/queue-registry.js';

/** Covers the time between two polls of a client; later an ephemeral event is out of date. */
const KEPT_MS = 15_000;
/** Maximum ephemeral events kept per queue; the oldest is dropped first. */
const KEPT_PER_QUEUE_MAX = 20;

export interface EphemeralDeliveryParts {
  readonly directory: Directory;
  readonly presenter: Presenter;
  readonly table: QueueRegistry;
  readonly broadcast: Broadcast;
  readonly clock: Clock;
  /** Position up to which every waiting poll has received its events. */
  readonly deliveredUpTo: () => number;
  readonly onError: (error: unknown) => void;
}

/**
 * Delivers ephemeral events to the queues of this process: in their place among the events of the log, or not at all,
 * because a client that has newer events would take them for newer than they are. Their IDs lie between those of log
 * events, like those of heartbeats.
 */
export class EphemeralDelivery {
  #unsubscribe: () => void = () => undefined;

  constructor(private readonly parts: EphemeralDeliveryParts) {}

  start(): void {
    this.#unsubscribe = hearAnnounced(this.parts.broadcast, (presentable) => {
      try {
        this.#tell(presentable);
      } catch (error) {
        this.parts.onError(error);
      }
    });
  }

  close(): void {
    this.#unsubscribe();
  }

  /** Position up to which log events precede the queue's kept ephemeral events; Infinity without any. */
  placeIn(queue: EventQueue): number {
    return Math.min(...this.#keptFor(queue).map(({ presentable }) => presentable.position));
  }

  /**
   * Takes the events kept for the queue up to a place; undefined without any. The queue has been searched up to the position.
   * @param afterId the highest ID in this answer so far, or the acknowledged one
   */
  take(queue: EventQueue, place: number, position: number, afterId: number): Sent | undefined {
    const kept = this.#keptFor(queue);
    const due = kept.filter(({ presentable }) => presentable.position <= place);
    queue.kept = due.length === kept.length ? undefined : kept.filter((entry) => !due.includes(entry));
    const events = due
      .filter(({ presentable }) => presentable.position >= positionOf(afterId))
      .flatMap(({ presentable }) => this.#eventsFor(queue, presentable));
    return events.length === 0 ? undefined : sent(queue, position, events, afterId);
  }

  #keptFor(queue: EventQueue): readonly KeptEntry[] {
    if (queue.kept === undefined) return NOTHING;
    const nowMs = this.parts.clock.nowMs();
    return queue.kept.filter(({ untilMs, presentable }) => untilMs > nowMs && isInPlace(queue, presentable));
  }

  #tell(presentable: Presentable): void {
    const { clock, deliveredUpTo } = this.parts;
    const untilMs = clock.nowMs() + KEPT_MS;
    for (const queue of this.#candidates(presentable.entry)) {
      if (!isInPlace(queue, presentable)) continue;
      const events = this.#eventsFor(queue, presentable);
      if (events.length === 0) continue;
      const poll = queue.held;
      // A waiting poll has been sent nothing since its queue's last acknowledgement.
      if (poll === undefined) queue.kept = [...(queue.kept ?? []), { presentable, untilMs }].slice(-KEPT_PER_QUEUE_MAX);
      else {
        const { texts } = sent(queue, Math.max(poll.from, deliveredUpTo()), events, queue.ackedId);
        poll.end(`[${texts.join(',')}]`);
      }
    }
  }

  /** The client events that the queue may receive at this moment. */
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

/** Events as JSON texts, and the highest ID among them. */
type Sent = Pick<Presented, 'texts' | 'lastId'>;

const NOTHING: readonly KeptEntry[] = [];

/** Whether the client has not been sent anything beyond its place. */
function isInPlace(queue: EventQueue, { position }: Presentable): boolean {
  return position >= positionOf(queue.ackedId);
}

function sent(queue: EventQueue, position: number, events: readonly ClientEvent[], afterId: number): Sent {
  let lastId = afterId;
  const texts = events.map((event) => eventText(event, (lastId = queue.passingId(position, lastId))));
  return { texts, lastId };
}
