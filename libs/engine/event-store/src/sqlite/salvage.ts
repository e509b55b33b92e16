import { type Damage, DamagedRecord, type RecordedEvent } from '../event-store.js';
import { MALFORMED } from './database.js';
import type { LogReader } from './log-reader.js';

export interface Salvaged {
  readonly events: readonly RecordedEvent[];
  /** Last position that was looked at. */
  readonly through: number;
}

const MISSING = 'it is missing';

/** End of a log whose head SQLite cannot find. */
export const OPEN_END = Number.MAX_SAFE_INTEGER;

/**
 * Reads what is whole of a part of the log that is not, and tells of the rest. A record that is found in any way, and whose
 * checksum is right, is whole: the checksum covers its position.
 * @param first first position to look at
 * @param upTo last one that is known to exist, or `OPEN_END`
 * @param rowsMax positions to look at, unless a longer stretch has no readable row at all
 */
export function salvage(
  reader: LogReader,
  first: number,
  upTo: number,
  rowsMax: number,
  onDamage: (damage: Damage) => void,
): Salvaged {
  const last = Math.min(first + rowsMax - 1, upTo);
  const { found, malformed } = inspected(reader, first, last);
  const reasonAt = (position: number): string => (malformed.has(position) ? MALFORMED : MISSING);
  if (found.size === 0) return { events: [], through: passGap(reader, first, last, upTo, reasonAt(first), onDamage) };
  const events: RecordedEvent[] = [];
  const through = Math.max(...found.keys());
  for (let position = first; position <= through; position++) {
    const outcome = found.get(position) ?? { position, reason: reasonAt(position) };
    if ('id' in outcome) events.push(outcome);
    else onDamage(outcome);
  }
  return { events, through };
}

interface Inspected {
  readonly found: ReadonlyMap<number, RecordedEvent | Damage>;
  /** Positions where SQLite reads no row, for it finds the file malformed there. */
  readonly malformed: ReadonlySet<number>;
}

/** What is found at each position, by one query for all and, where that is not enough, one for each. */
function inspected(reader: LogReader, first: number, last: number): Inspected {
  const found = new Map<number, RecordedEvent | Damage>();
  const malformed = new Set<number>();
  const isWhole = (position: number): boolean => 'id' in (found.get(position) ?? {});
  const look = (from: number, to: number): void => {
    const rows = unlessDamaged(() => reader.rows(from, to));
    if (rows === DAMAGED) {
      if (from === to) malformed.add(from);
      return;
    }
    for (const row of rows) {
      const [position] = row;
      if (position >= from && position <= to && !isWhole(position)) found.set(position, reader.inspect(row));
    }
  };
  look(first, last);
  for (let position = first; position <= last; position++) if (!isWhole(position)) look(position, position);
  return { found, malformed };
}

/** Tells of a stretch without a readable row. @returns its last position */
function passGap(
  reader: LogReader,
  first: number,
  last: number,
  upTo: number,
  reason: string,
  onDamage: (damage: Damage) => void,
): number {
  const end = lastOfGap(reader, last);
  if (end === undefined && upTo === OPEN_END) {
    if (reason === MALFORMED) onDamage({ position: first, reason: `${MALFORMED} there or after it` });
    return upTo;
  }
  const through = Math.min(end ?? upTo, upTo);
  onDamage(through === first ? { position: first, reason } : { position: first, through, reason });
  return through;
}

/** The position before the next row that can be read; undefined when there is none. */
export function lastOfGap(reader: LogReader, from: number): number | undefined {
  const after = unlessDamaged(() => reader.rowAfter(from));
  if (after !== DAMAGED) return after && Math.max(after[0] - 1, from);
  // Somewhere behind, a page may be whole again.
  const isDamagedAfter = (position: number): boolean => unlessDamaged(() => reader.rowAfter(position)) === DAMAGED;
  let [unreadable, step] = [from, 1];
  while (isDamagedAfter(unreadable + step)) {
    unreadable += step;
    step *= 2;
    if (unreadable + step >= OPEN_END) return undefined;
  }
  let readable = unreadable + step;
  while (readable - unreadable > 1) {
    const middle = unreadable + Math.floor((readable - unreadable) / 2);
    if (isDamagedAfter(middle)) unreadable = middle;
    else readable = middle;
  }
  if (unlessDamaged(() => reader.rowAfter(readable)) === undefined) return undefined;
  // A search for what is behind the last row of a page begins in that page.
  const row = unlessDamaged(() => reader.rows(readable, readable));
  return row === DAMAGED || row.length === 0 ? readable : Math.max(readable - 1, from);
}

/** Position of the last event; undefined when SQLite cannot tell. */
export function headOf(reader: LogReader): number | undefined {
  const head = unlessDamaged(() => reader.head());
  return head === DAMAGED ? undefined : head;
}

export const DAMAGED: unique symbol = Symbol('damaged');

export function unlessDamaged<Result>(read: () => Result): Result | typeof DAMAGED {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedRecord) return DAMAGED;
    throw error;
  }
}
