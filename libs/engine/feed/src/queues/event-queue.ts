import { badRequest } from '#kernel';
import type { Presentable, QueueSettings } from '../log/feed-entry.js';
import { EVENTS_PER_POSITION, PASSED_INDEX } from '../log/feed-entry.js';

/** An ephemeral event that waits for the queue's next poll; access is checked again then. */
export interface KeptEntry {
  readonly presentable: Presentable;
  readonly untilMs: number;
}

/** The `last_event_id` of a new queue, by which a poll names its start (register.md §1). */
export const QUEUE_START = -1;

/** Where a poll resumes: records after `after`, without events up to `afterId`. */
export interface Resumed {
  readonly kind: 'resumed';
  readonly after: number;
  readonly afterId: number;
}

export type Acknowledged = Resumed | { readonly kind: 'gone' };

/** Range of the feed: from the position `floor` up to `head`. */
export interface FeedBounds {
  readonly floor: number;
  readonly head: number;
}

/**
 * First ID that means "everything up to this position": no event has it, and no event of a later position has a lower
 * one.
 */
export function idAfter(position: number): number {
  return position * EVENTS_PER_POSITION + PASSED_INDEX;
}

/** Last ID of the position. */
function lastIdOf(position: number): number {
  return position * EVENTS_PER_POSITION + EVENTS_PER_POSITION - 1;
}

/** Position whose events this ID acknowledges, completely or partly. */
export function positionOf(id: number): number {
  return Math.floor(id / EVENTS_PER_POSITION);
}

/** A client's queue: a cursor into the feed. It stores no events, so an idle queue costs a few hundred bytes. */
export class EventQueue {
  /** Events up to this ID are acknowledged. */
  ackedId: number;
  /** Acknowledgement in its stored record. */
  savedId: number;
  /** Time of the last poll in its stored record. */
  savedActiveAtMs: number;
  /** Time at which the last poll ended. */
  idleSinceMs: number;
  /** Polls in progress, including held ones. */
  polls = 0;
  /** Number of polls: only the newest one counts. */
  turn = 0;
  /** The poll that waits for events. */
  held: { readonly from: number; end(events: string): void; release(): void } | undefined;
  isGone = false;
  /** Ephemeral events sent while no poll was waiting. */
  kept: readonly KeptEntry[] | undefined;

  /** Highest ID sent; events are sent by whole positions. */
  #sentId = -1;
  /** Between the acknowledged ID and this position there is nothing for this queue. */
  #quietUntil = 0;

  constructor(
    readonly queueId: string,
    readonly userId: number,
    readonly settings: QueueSettings,
    readonly lifespanMs: number,
    /** Events up to this ID are in the answer of the registration. */
    readonly startId: number,
    ackedId: number,
    nowMs: number,
    /** The browser's session that registered it. */
    readonly session?: string,
  ) {
    this.ackedId = ackedId;
    this.savedId = ackedId;
    this.savedActiveAtMs = nowMs;
    this.idleSinceMs = nowMs;
  }

  /** Time of the last poll: now, while a poll is in progress. */
  activeAtMs(nowMs: number): number {
    return this.polls > 0 ? nowMs : this.idleSinceMs;
  }

  /** Position from which the feed must be kept for this queue. */
  get needsFrom(): number {
    return Math.max(positionOf(this.ackedId), this.#quietUntil);
  }

  /**
   * Acknowledges events up to this ID (rules.md §2).
   * @throws Refusal BAD_REQUEST for an ID beyond the newest event, or below one that was acknowledged before
   */
  acknowledge(lastEventId: number, bounds: FeedBounds): Acknowledged {
    const id = this.#idOf(lastEventId);
    if (this.isGone) return { kind: 'gone' };
    // A delayed request looks the same, so the queue stays for the client that knows its place.
    if (id < this.ackedId) throw badRequest(`An event newer than ${lastEventId} has already been acknowledged.`);
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

  /** Records that events up to this ID, the last of its position, were sent to the client. */
  sent(lastId: number): void {
    this.#sentId = lastId;
  }

  /** Records that there is nothing unacknowledged for this queue up to this position. */
  emptyUpTo(position: number): void {
    this.#quietUntil = Math.max(this.#quietUntil, position);
  }

  /**
   * ID of a heartbeat, or of an ephemeral event, when the queue was searched up to this position. It grows with each
   * one and stays below every event to come; it stops growing only after hundreds of them without any event in the log.
   * @param afterId the highest ID sent before it
   */
  passingId(position: number, afterId = this.ackedId): number {
    return Math.min(Math.max(idAfter(position), afterId + 1), lastIdOf(position));
  }

  #idOf(lastEventId: number): number {
    return lastEventId === QUEUE_START ? this.startId : lastEventId;
  }

  hasExpired(nowMs: number): boolean {
    return this.polls === 0 && nowMs - this.idleSinceMs > this.lifespanMs;
  }
}
