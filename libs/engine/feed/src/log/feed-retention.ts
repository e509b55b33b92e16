import type { JsonObject } from '#kernel';
import type { Prune, KeyValueStore } from '#read-store';
import type { FeedHistory } from './feed-history.js';
import { feedCollection } from './feed-history.js';

/** Minimum age of removed records: longer than a queue with the default lifespan can be idle. */
export const FEED_KEPT_AT_LEAST_MS = 15 * 60_000;
/** Maximum age of kept records: the longest lifespan of a queue, and an hour. */
const FEED_KEPT_AT_MOST_MS = (7 * 24 + 1) * 3_600_000;
/** Limits the feed, which a single long-lived queue could otherwise grow without end. */
const RECORDS_KEPT_MAX = 2_000_000;
const RECORDS_PER_MARK = 1_000;
/** Each sweep removes old records in this many steps, so that no commit has to remove all of them. */
const PRUNE_STEPS = 64;

/** Key of the stored floor. */
const FEED = 'feed';
const FLOOR = 'floor';

/**
 * Tracks the position from which the feed is complete, and removes what no queue needs. The floor is raised durably
 * before anything below it is removed, so no queue can miss events unnoticed: it is gone instead.
 */
export class FeedRetention {
  #floor = 0;
  #savedFloor = 0;
  /** Position up to which removals were issued. */
  #prunedBelow = 0;
  #stepWidth = 0;
  #isSweeping = false;
  /** Position of every thousandth record written by this process. */
  readonly #marks: number[] = [];
  #written = 0;

  constructor(
    private readonly side: KeyValueStore,
    private readonly history: FeedHistory,
  ) {}

  /** All records at this position and above exist. */
  get floor(): number {
    return this.#floor;
  }

  /** @param atMost the position up to which the feed may have been written so far */
  async load(atMost: number): Promise<void> {
    const saved = (await this.side.get(FEED, FLOOR))?.position;
    // A floor above the feed's end belongs to another log.
    if (typeof saved !== 'number' || saved > atMost + 1) return;
    this.#floor = Math.max(this.#floor, saved);
    this.#savedFloor = saved;
  }

  /** Loads the floor that another process, which prunes the feed, has raised. */
  refresh(): Promise<void> {
    return this.load(Number.MAX_SAFE_INTEGER);
  }

  /** Whether an event of this time is too old for every client, as when the feed is rebuilt from a long log. */
  isTooOld(recordedAtMs: number, nowMs: number): boolean {
    return nowMs - recordedAtMs > FEED_KEPT_AT_MOST_MS;
  }

  /** Records that the feed lacks the client events of the event at this position. */
  skipped(position: number): void {
    this.#floor = Math.max(this.#floor, position + 1);
  }

  wrote(position: number): void {
    if (++this.#written % RECORDS_PER_MARK !== 0) return;
    this.#marks.push(position);
    if (this.#marks.length > RECORDS_KEPT_MAX / RECORDS_PER_MARK) this.#marks.shift();
  }

  /**
   * Raises the floor to the lowest position in use.
   * @param needed the lowest position that a queue needs; Infinity without queues
   */
  async sweep(needed: number, head: number, nowMs: number): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    try {
      const from = Math.max(0, this.#prunedBelow - 1);
      const old = await this.history.firstSince(nowMs - FEED_KEPT_AT_LEAST_MS, from, head);
      const overdue =
        needed >= old
          ? old
          : Math.max(await this.history.firstSince(nowMs - FEED_KEPT_AT_MOST_MS, from, head), this.#excess);
      const floor = Math.max(this.#floor, Math.min(old, Math.max(needed, overdue)));
      if (floor !== this.#savedFloor) await this.side.put(FEED, FLOOR, { position: floor } satisfies JsonObject);
      this.#savedFloor = floor;
      this.#floor = Math.max(this.#floor, floor);
      this.#stepWidth = Math.ceil((floor - this.#prunedBelow) / PRUNE_STEPS);
    } finally {
      this.#isSweeping = false;
    }
  }

  /** The next removal, if any. */
  prunes(): readonly Prune[] {
    if (this.#prunedBelow >= this.#savedFloor || this.#stepWidth <= 0) return NOTHING;
    this.#prunedBelow = Math.min(this.#savedFloor, this.#prunedBelow + this.#stepWidth);
    return [{ collection: feedCollection.name, below: this.#prunedBelow }];
  }

  /** Position below which the feed exceeds its maximum size. */
  get #excess(): number {
    return this.#marks.length < RECORDS_KEPT_MAX / RECORDS_PER_MARK ? 0 : (this.#marks[0] ?? 0);
  }
}

const NOTHING: readonly Prune[] = [];
