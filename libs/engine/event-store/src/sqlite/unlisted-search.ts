import type { Damage } from '../event-store.js';
import { type Connection, MALFORMED, orDamaged, type Statement } from './database.js';
import { DAMAGED, unlessDamaged } from './salvage.js';

const ROWS = 1_024;

// Asks an index as readers do, and compares the answer itself: in a damaged index, SQLite may find an entry by what it should say.
const LISTED = `SELECT CAST(e.position AS INTEGER) AS position,
  CAST(e.position IS (
    SELECT i.position FROM events i INDEXED BY events_by_stream
    WHERE i.stream_id = e.stream_id AND i.revision = e.revision
  ) AS INTEGER) AS listed
  FROM events e NOT INDEXED WHERE e.position > ? AND e.position <= ? ORDER BY e.position LIMIT ?`;

const EXISTING = `SELECT CAST(position AS INTEGER) AS position FROM events NOT INDEXED
  WHERE position > ? AND position <= ? ORDER BY events.position LIMIT ?`;

/** Streams that their name does not lead to, with their first record. */
const LOST_STREAMS = `SELECT CAST((
    SELECT min(position) FROM events NOT INDEXED WHERE stream_id = s.id
  ) AS INTEGER) AS position
  FROM streams s NOT INDEXED
  WHERE s.id IS NOT (SELECT t.id FROM streams t INDEXED BY sqlite_autoindex_streams_1 WHERE t.name = s.name)`;

/** Compares the indexes of the log with its tables: a record that no index lists exists for readers of the whole log alone. */
export class UnlistedSearch {
  readonly #listed: Statement;
  readonly #existing: Statement;
  readonly #lostStreams: Statement;

  constructor(db: Connection) {
    this.#listed = db.prepare(LISTED).raw();
    this.#existing = db.prepare(EXISTING).raw();
    this.#lostStreams = db.prepare(LOST_STREAMS).raw();
  }

  /** Looks at some records. @returns the last of them; undefined when none is left that can be read */
  next(after: number, onDamage: (damage: Damage) => void): number | undefined {
    const rows = this.#ask(this.#listed, after, Number.MAX_SAFE_INTEGER, ROWS);
    if (rows === DAMAGED) return this.#oneByOne(after, onDamage);
    for (const [position, isListed] of rows) {
      if (isListed === 0) onDamage({ position, reason: 'the list of its stream does not have it' });
    }
    const last = rows.at(-1)?.[0];
    // In a damaged file, rows need not be in order.
    return last === undefined ? undefined : Math.max(last, after + 1);
  }

  lostStreams(onDamage: (damage: Damage) => void): void {
    const rows = unlessDamaged(() => orDamaged(1, () => this.#lostStreams.all([]) as [number | null][]));
    if (rows === DAMAGED) onDamage({ position: 1, reason: `${MALFORMED} in the list of streams` });
    else
      for (const [position] of rows)
        if (position !== null) onDamage({ position, reason: 'the name of its stream does not lead to it' });
  }

  #oneByOne(after: number, onDamage: (damage: Damage) => void): number {
    const last = after + ROWS;
    for (let position = after + 1; position <= last; position++) {
      const range = [position - 1, position, 1] as const;
      const rows = this.#ask(this.#listed, ...range);
      if (rows !== DAMAGED && rows.every(([, isListed]) => isListed === 1)) continue;
      const existing = this.#ask(this.#existing, ...range);
      // A row that cannot be read is told of by those who read it.
      if (existing !== DAMAGED && existing.length > 0)
        onDamage({ position, reason: `${MALFORMED} in the list of its stream` });
    }
    return last;
  }

  #ask(
    query: Statement,
    after: number,
    upTo: number,
    limit: number,
  ): readonly (readonly [number, number])[] | typeof DAMAGED {
    return unlessDamaged(() => orDamaged(after + 1, () => query.all([after, upTo, limit]) as [number, number][]));
  }
}
