import { badRequest } from '#kernel';
import type { Presentable, QueueSettings } from './feed-entry.js';
import { EVENTS_PER_POSITION, PASSED_INDEX } from './feed-entry.js';

/** What was announced, is no fact, and waits for the queue's next poll: what may be told of it is asked again then. */
export interface KeptEntry {
  readonly presentable: Presentable;
  readonly untilMs: number;
}

/** Where a poll goes on reading: from records after `after`, leaving out events up to `afterId`. */
export interface Resumed {
  readonly kind: 'resumed';
  readonly after: number;
  readonly afterId: number;
}

export type Acknowledged = Resumed | { readonly kind: 'gone' };

/** What the feed holds: everything from the position `floor` on, up to `head`. */
export interface FeedBounds {
  readonly floor: number;
  readonly head: number;
}

/** The first ID that says "everything up to this position": no event has it, and none of a later position is below it. */
export function idAfter(position: number): number {
  return position * EVENTS_PER_POSITION + PASSED_INDEX;
}

/** The last ID of the position. */
function lastIdOf(position: number): number {
  return position * EVENTS_PER_POSITION + EVENTS_PER_POSITION - 1;
}

/** The position whose events this ID acknowledges, wholly or in part. */
export function positionOf(id: number): number {
  return Math.floor(id / EVENTS_PER_POSITION);
}

/**
 * A client's queue: a cursor into the feed (DESIGN, decision 10). It holds no events, so it costs a few hundred bytes
 * however long it lies idle.
 */
export class EventQueue {
  /** Events up to this ID were received. */
  ackedId: number;
  /** The acknowledgement that its record holds. */
  savedId: number;
  /** The time of the last poll that its record holds. */
  savedActiveAtMs: number;
  /** When the last poll ended. */
  idleSinceMs: number;
  /** Polls being answered at this moment, held ones included. */
  polls = 0;
  /** Counts polls: the newest is the one that matters. */
  turn = 0;
  /** The poll that waits for events. */
  held: { readonly from: number; end(events: string): void } | undefined;
  isGone = false;
  /** What was said while no poll was waiting, and is no fact. */
  kept: readonly KeptEntry[] | undefined;

  /** Highest ID handed out; events are handed out by whole positions. */
  #sentId = -1;
  /** Between what was acknowledged and this position there is nothing for this queue. */
  #quietUntil = 0;

  constructor(
    readonly queueId: string,
    readonly userId: number,
    readonly settings: QueueSettings,
    readonly lifespanMs: number,
    /** The `last_event_id` that it was registered with. */
    readonly startId: number,
    ackedId: number,
    nowMs: number,
  ) {
    this.ackedId = ackedId;
    this.savedId = ackedId;
    this.savedActiveAtMs = nowMs;
    this.idleSinceMs = nowMs;
  }

  /** When it was polled last: now, while a poll is being answered. */
  activeAtMs(nowMs: number): number {
    return this.polls > 0 ? nowMs : this.idleSinceMs;
  }

  /** Position from which on the feed must be kept for this queue. */
  get needsFrom(): number {
    return Math.max(positionOf(this.ackedId), this.#quietUntil);
  }

  /**
   * The client has everything up to this ID; -1 stands for the queue's start.
   * @throws Refusal BAD_REQUEST for an ID below what was acknowledged before, or beyond the newest event
   */
  acknowledge(lastEventId: number, bounds: FeedBounds): Acknowledged {
    const id = lastEventId === -1 ? this.startId : lastEventId;
    if (this.isGone) return { kind: 'gone' };
    if (id < this.ackedId) {
      throw badRequest(
        `An event newer than ${lastEventId} has already been pruned. Poll with the highest ID received.`,
      );
    }
    if (id > lastIdOf(bounds.head)) {
      throw badRequest(`Event ${lastEventId} was not in this queue. Poll with the highest ID received.`);
    }
    const position = positionOf(id);
    const isWhole = id === this.#sentId || id % EVENTS_PER_POSITION >= PASSED_INDEX;
    const after = Math.max(isWhole ? position : position - 1, this.#quietUntil);
    if (after + 1 < bounds.floor) return { kind: 'gone' };
    this.ackedId = id;
    return { kind: 'resumed', after, afterId: id };
  }

  /** Events up to this ID, and nothing less of its position, are on their way to the client. */
  sent(lastId: number): void {
    this.#sentId = lastId;
  }

  /** Nothing that is not acknowledged waits up to this position. */
  quietUntil(position: number): void {
    this.#quietUntil = Math.max(this.#quietUntil, position);
  }

  /**
   * The ID of a heartbeat, or of an event that is no fact, when the queue was looked through up to this position. It grows
   * from one to the next, and stays below every event to come; only after hundreds of them in which nothing at all was
   * recorded anywhere there is no room left to grow.
   * @param index of several in one answer
   */
  passingId(position: number, index = 0): number {
    return Math.min(Math.max(idAfter(position), this.ackedId + 1) + index, lastIdOf(position));
  }

  hasExpired(nowMs: number): boolean {
    return this.polls === 0 && nowMs - this.idleSinceMs > this.lifespanMs;
  }
}
