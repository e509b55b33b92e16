import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newId } from '#kernel';
import { DamagedRecord, EventStoreUnavailable } from '../event-store.js';
import { EventRegistry } from '../registry.js';
import { acknowledgedPosition } from './acknowledged-mark.js';
import { type Connection, openFile, openForReading, openForWriting, orDamaged } from './database.js';
import { EventInserter } from './event-inserter.js';
import { LogReader } from './log-reader.js';
import type { EventRow, ReadRow } from './record.js';
import { addRepairNote, type PositionRanges, type RepairNote } from './repair-notes.js';
import { DAMAGED, lastOfGap, unlessDamaged } from './salvage.js';
import { UnlistedSearch } from './unlisted-search.js';
import { WriterLock } from './writer-lock.js';

/** Rows that are copied at once. */
const PAGE_ROWS = 256;

export interface LogRepair {
  /** Records that were taken from the backup. */
  readonly replaced: PositionRanges;
  /** Records that neither the log nor the backup has whole. */
  readonly left: PositionRanges;
  /** Where the damaged file is kept; undefined when nothing was damaged, and nothing was changed. */
  readonly kept: string | undefined;
}

/** The backup has other events than the log. */
export class NotABackup extends Error {
  constructor(position: number) {
    super(`This is no backup of the log: it has another event at position ${position}.`);
    this.name = 'NotABackup';
  }
}

/**
 * Replaces the records of a log that are damaged, missing or cut off by those of a backup that are whole. All whole records go into
 * a file beside the log, which takes its place at once in the end; the damaged file is kept beside it. What was replaced is written
 * into `<log>.repairs`, for the next start.
 * @param path file of the log; no server may be running
 * @param backup file of another log with the same events, which may end earlier
 * @throws EventStoreUnavailable when a server writes the log; NotABackup; DamagedRecord when the backup cannot be opened
 */
export async function repairLog(path: string, backup: string, nowMs: number, signal?: AbortSignal): Promise<LogRepair> {
  const lock = WriterLock.take(path);
  const draft = `${path}.repaired`;
  try {
    removeDatabase(draft);
    const log = openDamaged(path);
    const source = opened(backup);
    const limit = Math.max(acknowledgedPosition(path), log === undefined ? 0 : await lastWhole(log.reader, signal));
    const target = new RepairedLog(draft);
    const [replaced, left] = [new Positions(), new Positions()];
    try {
      for (let first = 1; first <= limit; first += PAGE_ROWS) {
        signal?.throwIfAborted();
        const last = Math.min(first + PAGE_ROWS - 1, limit);
        const own = log === undefined ? new Map<number, WholeRow>() : wholeRows(log.reader, first, last);
        const backedUp = wholeRows(source.reader, first, last);
        const page: WholeRow[] = [];
        for (let position = first; position <= last; position++) {
          const [mine, theirs] = [own.get(position), backedUp.get(position)];
          if (theirs !== undefined && mine?.row[3].equals(theirs.row[3]) === false) throw new NotABackup(position);
          if (mine === undefined) (theirs === undefined ? left : replaced).add(position);
          const whole = mine ?? theirs;
          if (whole !== undefined) page.push(whole);
        }
        target.insert(page);
        await nextTurn();
      }
    } finally {
      target.close();
      source.db.close();
    }
    const isListed = log !== undefined && (await isEachListed(log.db, limit));
    log?.db.close();
    if (replaced.ranges.length === 0 && isListed) {
      removeDatabase(draft);
      return { replaced: [], left: left.ranges, kept: undefined };
    }
    const note = { id: newId(), at: Math.floor(nowMs / 1000), replaced: replaced.ranges, left: left.ranges };
    return { replaced: replaced.ranges, left: left.ranges, kept: exchange(path, draft, note) };
  } finally {
    lock.release();
  }
}

interface OpenedLog {
  readonly db: Connection;
  readonly reader: LogReader;
}

interface WholeRow {
  readonly row: ReadRow;
  readonly stream: string;
  readonly type: string;
}

function opened(path: string): OpenedLog {
  const db = openForReading(path);
  // Rows are copied as they are: no event is parsed.
  return orDamaged(1, () => ({ db, reader: new LogReader(db, new EventRegistry([])) }));
}

/** Undefined when nothing can be read. */
function openDamaged(path: string): OpenedLog | undefined {
  const wal = `${path}-wal`;
  // Reading takes what can be read from it into the file, and removes the rest.
  if (existsSync(wal) && statSync(wal).size > 0) copyFileSync(wal, free(`${wal}.damaged`));
  try {
    return orDamaged(1, () => {
      const db = openFile(path);
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
      return opened(path);
    });
  } catch (error) {
    // A damaged header can hold any format; the backup shows whether it is known.
    if (error instanceof DamagedRecord || error instanceof EventStoreUnavailable) return undefined;
    throw error;
  }
}

/** The rows of a range whose checksums are right, found in any way. */
function wholeRows(reader: LogReader, first: number, last: number): ReadonlyMap<number, WholeRow> {
  const found = new Map<number, WholeRow>();
  const look = (from: number, to: number): void => {
    const rows = unlessDamaged(() => reader.rows(from, to));
    if (rows === DAMAGED) return;
    for (const row of rows) {
      const names = reader.namesOfWhole(row);
      if (names !== undefined) found.set(row[0], { row, ...names });
    }
  };
  look(first, last);
  if (found.size === last - first + 1) return found;
  for (let position = first; position <= last; position++) if (!found.has(position)) look(position, position);
  return found;
}

/** The last position with a whole record. */
async function lastWhole(reader: LogReader, signal: AbortSignal | undefined): Promise<number> {
  let found = 0;
  for (let first = 1; ;) {
    signal?.throwIfAborted();
    const rows = wholeRows(reader, first, first + PAGE_ROWS - 1);
    found = Math.max(found, ...rows.keys());
    if (rows.size > 0) first += PAGE_ROWS;
    else {
      const gap = lastOfGap(reader, first + PAGE_ROWS - 1);
      if (gap === undefined) return found;
      first = gap + 1;
    }
    await nextTurn();
  }
}

async function isEachListed(db: Connection, limit: number): Promise<boolean> {
  let isListed = true;
  const onDamage = (): void => {
    isListed = false;
  };
  const search = new UnlistedSearch(db);
  search.lostStreams(onDamage);
  for (let position: number | undefined = 0; position !== undefined && position < limit;) {
    position = search.next(position, onDamage);
    await nextTurn();
  }
  return isListed;
}

/** A log in the making. Streams and types get the numbers that they got at first, in the order of their first events. */
class RepairedLog {
  readonly #db: Connection;
  readonly #inserter: EventInserter;
  readonly #streams = new Map<string, number>();
  readonly #types = new Map<string, number>();

  constructor(path: string) {
    this.#db = openForWriting(path);
    this.#inserter = new EventInserter(this.#db);
  }

  insert(page: readonly WholeRow[]): void {
    this.#db.exec('BEGIN');
    const rows = page.map(({ row, stream, type }): EventRow => {
      const [position, , revision, eventId, , data, metadata, recordedAtMs, checksum] = row;
      const streamId = this.#numberOf('streams', this.#streams, stream);
      const typeId = this.#numberOf('event_types', this.#types, type);
      const texts = [data.toString(), metadata?.toString() ?? null] as const;
      return [position, streamId, revision, eventId, typeId, ...texts, recordedAtMs, checksum];
    });
    this.#inserter.insert(rows);
    this.#db.exec('COMMIT');
  }

  close(): void {
    this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    this.#db.close();
  }

  #numberOf(table: 'streams' | 'event_types', known: Map<string, number>, name: string): number {
    const found = known.get(name);
    if (found !== undefined) return found;
    const id = known.size + 1;
    known.set(name, id);
    this.#db.prepare(`INSERT INTO ${table} (id, name) VALUES (?, ?)`).run([id, name]);
    return id;
  }
}

/** Puts the repaired file in the place of the damaged one. @returns where that is kept */
function exchange(path: string, draft: string, note: RepairNote): string {
  sync(draft);
  addRepairNote(path, note);
  const kept = free(`${path}.damaged`);
  linkSync(path, kept);
  // What could be read of them is in the file.
  for (const end of ['-wal', '-shm']) {
    rmSync(path + end, { force: true });
    rmSync(draft + end, { force: true });
  }
  renameSync(draft, path);
  sync(dirname(path));
  return kept;
}

function free(path: string): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? path : `${path}.${number}`;
    if (!existsSync(candidate)) return candidate;
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}

class Positions {
  readonly ranges: PositionRanges = [];

  /** In ascending order. */
  add(position: number): void {
    const last = this.ranges.at(-1);
    if (last?.[1] === position - 1) last[1] = position;
    else this.ranges.push([position, position]);
  }
}
