import { SingleFlight } from '#kernel';
import type { DriverRecord, Position } from './driver.js';
import { placeOf, positionOf } from './record.js';
import type { ServerReads } from './server-reads.js';

/** Enough for what a busy server stores between two calls; larger pages follow when a page has no event of this log. */
const PAGE_EVENTS_MIN = 16;
const PAGE_EVENTS_MAX = 4_096;

/**
 * Finds the end of the log: the last event of this installation, which need not be the last on the server, because of
 * other installations and of statistics. Reads backwards from the end, to where the previous search ended.
 */
export class LogHead {
  /** Last known event of the log, and the position up to which the server's events have been searched. */
  #head = 0;
  #seenTo = -1n;
  /**
   * A search in progress may have passed the caller's event already, so the next search answers all callers that arrive
   * meanwhile.
   */
  readonly #looks = new SingleFlight(() => this.#look());

  constructor(
    private readonly reads: ServerReads,
    private readonly isOurs: (name: string) => boolean,
  ) {}

  /** Position of the log's last event; 0 when there is none. Includes everything stored before the call. */
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
