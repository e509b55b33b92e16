import type { Collection } from '#read-store';
import type { Period } from '../moment.js';
import type { PlaceRow } from '../places/place-row.js';
import { rowsOfPeriod } from '../places/place-rows.js';
import type { Who } from './acts.projection.js';

/** Finds acts by who did them. */
export class ActsReader {
  constructor(private readonly acts: Collection<PlaceRow>) {}

  /** Rows in the order of the log, page by page: all of a period, and some beside it. */
  of(who: Who, period: Period): AsyncGenerator<PlaceRow, void, void> {
    return rowsOfPeriod(this.acts, String(who), period);
  }
}
