import type { JsonObject } from '#kernel';
import type { Prune, SideStore } from '#read-store';
import type { FeedHistory } from './feed-history.js';
import { feedCollection } from './feed-history.js';

/** Nothing younger is ever removed: longer than a queue with the usual lifespan can lie idle. */
export const FEED_KEPT_AT_LEAST_MS = 15 * 60_000;
/** Nothing older is kept, whoever might want it: the longest lifespan that a queue can have, and an hour. */
export const FEED_KEPT_AT_MOST_MS = (7 * 24 + 1) * 3_600_000;
/** One long-lived queue cannot make the feed grow without end. */
const RECORDS_KEPT_MAX = 2_000_000;
const RECORDS_PER_MARK = 1_000;
/** A minute's worth of old records goes in this many steps, so that no commit has to remove all of it. */
const PRUNE_STEPS = 64;

/** Where the floor is remembered. */
const FEED = 'feed';
const FLOOR = 'floor';

/**
 * Says from which position on the feed is complete, and removes what no queue needs. The floor is raised, durably,
 * before anything below it is removed, so no queue can ever miss events unknowingly: it is gone instead.
 */
export class FeedRetention {
  #floor = 0;
  #savedFloor = 0;
  /** Up to where removals were handed out. */
  #prunedBelow = 0;
  #stepWidth = 0;
  #isSweeping = false;
  /** The position of every thousandth record written by this process. */
  readonly #marks: number[] = [];
  #written = 0;

  constructor(
    private readonly side: SideStore,
    private readonly history: FeedHistory,
  ) {}

  /** Records at this position and above are all there. */
  get floor(): number {
    return this.#floor;
  }

  /** @param atMost the position up to which the feed may have been written so far */
  async load(atMost: number): Promise<void> {
    const saved = (await this.side.get(FEED, FLOOR))?.position;
    // A floor above the feed's end belongs to a log that is not there any more.
    if (typeof saved !== 'number' || saved > atMost + 1) return;
    this.#floor = Math.max(this.#floor, saved);
    this.#savedFloor = saved;
  }

  /** Takes over the floor that another process, which cuts the feed, has raised. */
  refresh(): Promise<void> {
    return this.load(Number.MAX_SAFE_INTEGER);
  }

  /** Whether a fact of this time is too old to be told to anybody, as when the feed is built afresh from a long log. */
  isTooOld(recordedAtMs: number, nowMs: number): boolean {
    return nowMs - recordedAtMs > FEED_KEPT_AT_MOST_MS;
  }

  /** What the fact at this position said is not in the feed. */
  skipped(position: number): void {
    this.#floor = Math.max(this.#floor, position + 1);
  }

  wrote(position: number): void {
    if (++this.#written % RECORDS_PER_MARK !== 0) return;
    this.#marks.push(position);
    if (this.#marks.length > RECORDS_KEPT_MAX / RECORDS_PER_MARK) this.#marks.shift();
  }

  /**
   * Raises the floor to where nobody needs what is below.
   * @param needed the lowest position that a queue still needs; Infinity when there is no queue
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

  /** The next removal, if there is one. */
  prunes(): readonly Prune[] {
    if (this.#prunedBelow >= this.#savedFloor || this.#stepWidth <= 0) return NOTHING;
    this.#prunedBelow = Math.min(this.#savedFloor, this.#prunedBelow + this.#stepWidth);
    return [{ collection: feedCollection.name, below: this.#prunedBelow }];
  }

  /** Position below which there is more than the feed may hold. */
  get #excess(): number {
    return this.#marks.length < RECORDS_KEPT_MAX / RECORDS_PER_MARK ? 0 : (this.#marks[0] ?? 0);
  }
}

const NOTHING: readonly Prune[] = [];
