import { BoundedMap } from '#kernel';
import type { Connection, Statement } from './database.js';
import { LOG_QUERIES } from './log-queries.js';

/** Positions among which a missing record is sought, beside its neighbour in its stream: a tenth of a second. */
const SOUGHT_MAX = 16_384;
/** Read at a time for that. */
const ROWS_SOUGHT = 256;
const REMEMBERED_MAX = 4_096;

/** What is asked of the log. */
export interface Positions {
  /** Position of the last event. */
  head(): number;
  /** Positions of a range that have no whole row, in their order. */
  lost(first: number, last: number): readonly number[];
}

/** Finds where records were that no row of their stream has. */
export class MissingRecords {
  /** Readers of a damaged stream come again and again, and each search holds up everybody. */
  readonly #found = new BoundedMap<string, number>(REMEMBERED_MAX);
  readonly #selectBefore: Statement;
  readonly #selectAfter: Statement;

  constructor(
    db: Connection,
    private readonly positions: Positions,
  ) {
    this.#selectBefore = db.prepare(LOG_QUERIES.before).raw();
    this.#selectAfter = db.prepare(LOG_QUERIES.after).raw();
  }

  /**
   * The position of a missing revision: one between its neighbours that has no row, or whose row is of no stream; 0 when none is found.
   * @throws DamagedRecord
   */
  positionOf(streamId: number, revision: number): number {
    const key = `${streamId}@${revision}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const position = this.#search(streamId, revision);
    this.#found.set(key, position);
    return position;
  }

  #search(streamId: number, revision: number): number {
    const neighbour = (query: Statement): readonly [revision: number, position: number] | undefined =>
      query.get([streamId, revision]) as [number, number] | undefined;
    const before = neighbour(this.#selectBefore);
    const [nextRevision, next] = neighbour(this.#selectAfter) ?? [revision + 1, this.positions.head() + 1];
    // The record stood near its neighbour more likely than near the beginning of the log.
    const [lost, nth] =
      before === undefined
        ? [this.#backwards(next, nextRevision), nextRevision - revision - 1]
        : [this.#forwards(before[1], next, nextRevision - before[0] - 1), revision - before[0] - 1];
    // Where other streams lack records as well, it is one of these.
    return lost[nth] ?? lost.at(-1) ?? 0;
  }

  /** Lost positions between two, as many as wanted, in their order. */
  #forwards(after: number, before: number, wanted: number): readonly number[] {
    const lost: number[] = [];
    const end = Math.min(before, after + 1 + SOUGHT_MAX);
    for (let first = after + 1; first < end && lost.length < wanted; first += ROWS_SOUGHT)
      lost.push(...this.positions.lost(first, Math.min(first + ROWS_SOUGHT, end) - 1));
    return lost;
  }

  /** Lost positions before one, as many as wanted, the last first. */
  #backwards(before: number, wanted: number): readonly number[] {
    const lost: number[] = [];
    const first = Math.max(1, before - SOUGHT_MAX);
    for (let end = before; end > first && lost.length < wanted; end -= ROWS_SOUGHT)
      lost.push(...this.positions.lost(Math.max(first, end - ROWS_SOUGHT), end - 1).toReversed());
    return lost;
  }
}
