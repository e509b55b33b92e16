import type { Collection } from '#read-store';
import type { Moment } from '../moment.js';
import type { PlaceRow } from '../places/place-row.js';
import { positionBefore, rowsOf } from '../places/place-rows.js';
import type { Who } from './acts.projection.js';

/** Finds acts by who did them. */
export class ActsReader {
  constructor(private readonly acts: Collection<PlaceRow>) {}

  /** Rows in the order of the log, page by page. @param after a position */
  of(who: Who, after = 0): AsyncGenerator<PlaceRow, void, void> {
    return rowsOf(this.acts, String(who), after);
  }

  /** A position before the acts that were done later than a moment. */
  positionBefore(who: Who, moment: Moment | undefined): Promise<number> {
    return positionBefore(this.acts, String(who), moment);
  }
}
