import type { Collection } from '#read-store';
import type { PlaceRow } from '../places/place-row.js';
import { firstFrom, rowsOf } from '../places/place-rows.js';
import type { Who } from './acts.projection.js';

/** Bounds the halving: no log has more events. */
const POSITION_MAX = 2 ** 50;
/** Acts before this are not looked at, so a clock may be set back by as much. */
const CLOCK_MARGIN_SECONDS = 24 * 3600;

/** Finds acts by who did them. */
export class ActsReader {
  constructor(private readonly acts: Collection<PlaceRow>) {}

  /** Rows in the order of the log, page by page. @param after a position */
  of(who: Who, after = 0): AsyncGenerator<PlaceRow, void, void> {
    return rowsOf(this.acts, String(who), after);
  }

  /** A position before the acts that were done later than a time, found by halving. @param seconds since the epoch */
  async positionBefore(who: Who, seconds: number): Promise<number> {
    let [known, beyond] = [0, POSITION_MAX];
    while (beyond - known > 1) {
      const middle = Math.floor((known + beyond) / 2);
      const row = await firstFrom(this.acts, String(who), middle);
      if (row !== undefined && row.at < seconds - CLOCK_MARGIN_SECONDS) known = row.position;
      else beyond = middle;
    }
    return known;
  }
}
