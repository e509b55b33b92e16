import { Coalesced } from '#kernel';
import type { DriverRecord, Position } from './driver.js';
import { placeOf, positionOf } from './record.js';
import type { ServerReads } from './server-reads.js';

/** Enough for what a busy server takes in between two questions; a page that finds nothing of ours is followed by larger ones. */
const PAGE_EVENTS_MIN = 16;
const PAGE_EVENTS_MAX = 4_096;

/**
 * Where the log ends: at the last event of ours, which on a shared server, or behind statistics of its own, need not be the
 * last of the server. It looks backwards from the end, as far as nobody has looked before.
 */
export class LogHead {
  /** The last known event of ours, and up to where everything has been looked at. */
  #head = 0;
  #seenTo = -1n;
  /** A look that has begun may have passed by what the caller knows of, so the next one answers all who ask meanwhile. */
  readonly #looks = new Coalesced(() => this.#look());

  constructor(
    private readonly reads: ServerReads,
    private readonly isOurs: (name: string) => boolean,
  ) {}

  /** Position of our last event; 0 when there is none. It sees everything that was stored before the question. */
  now(): Promise<number> {
    return this.#looks.run();
  }

  async #look(): Promise<number> {
    let from: Position | 'end' = 'end';
    let newest: bigint | undefined;
    for (let maxCount = PAGE_EVENTS_MIN; ; maxCount = Math.min(maxCount * 4, PAGE_EVENTS_MAX)) {
      const page: readonly DriverRecord[] = await this.reads.allPage(from, { direction: 'backwards', maxCount });
      for (const event of page) {
        const at = placeOf(event);
        newest ??= at.commit;
        if (at.commit <= this.#seenTo) return this.#found(newest, undefined);
        if (this.isOurs(event.streamId)) return this.#found(newest, at);
        from = at;
      }
      if (page.length < maxCount) return this.#found(newest ?? -1n, undefined);
    }
  }

  #found(newest: bigint, ours: Position | undefined): number {
    if (newest > this.#seenTo) this.#seenTo = newest;
    if (ours !== undefined) this.#head = Math.max(this.#head, positionOf(ours));
    return this.#head;
  }
}
