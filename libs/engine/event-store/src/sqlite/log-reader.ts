import { BoundedMap } from '#kernel';
import { type Damage, DamagedRecord, type RecordedEvent } from '../event-store.js';
import { type EventRegistry, UnreadableEvent } from '../registry.js';
import { type Connection, isTooBig, orDamaged, type Statement } from './database.js';
import { LOG_QUERIES } from './log-queries.js';
import { MissingRecords } from './missing-records.js';
import { rowsIn } from './page-blob.js';
import { isStreamName } from '../stream-name.js';
import { type ReadRow, toRecorded, uuidText, type VerifiedEvent, verifyRow } from './record.js';

const STREAM_NAMES_MAX = 65_536;

export interface LogPage {
  readonly events: readonly RecordedEvent[];
  /** Rows read, whether or not they passed the filter. */
  readonly rows: number;
  readonly textLength: number;
}

export interface StoredIdentity {
  readonly revision: number;
  readonly id: string;
  readonly position: number;
}

/** Reads rows and verifies them: every checksum is checked, and no position or revision may be missing. */
export class LogReader {
  readonly #registry: EventRegistry;
  readonly #streamNames = new BoundedMap<number, string>(STREAM_NAMES_MAX);
  readonly #typeNames = new Map<number, string>();
  readonly #missing: MissingRecords;
  readonly #selectHead: Statement;
  readonly #selectPage: Statement;
  readonly #selectPageBlob: Statement;
  readonly #selectForwards: Statement;
  readonly #selectBackwards: Statement;
  readonly #selectRevisions: Statement;
  readonly #selectIdentities: Statement;
  readonly #selectStream: Statement;
  readonly #selectLastRevision: Statement;
  readonly #selectStreamName: Statement;
  readonly #selectTypes: Statement;

  constructor(db: Connection, registry: EventRegistry) {
    this.#registry = registry;
    const select = (query: keyof typeof LOG_QUERIES): Statement => db.prepare(LOG_QUERIES[query]).raw();
    this.#selectHead = select('head');
    this.#selectPage = select('page');
    this.#selectPageBlob = select('pageBlob');
    this.#selectForwards = select('forwards');
    this.#selectBackwards = select('backwards');
    this.#selectRevisions = select('revisions');
    this.#selectIdentities = select('identities');
    this.#selectStream = select('streamId');
    this.#selectLastRevision = select('lastRevision');
    this.#selectStreamName = select('streamName');
    this.#selectTypes = select('types');
    this.#missing = new MissingRecords(db, { head: () => this.head(), lost: (first, last) => this.#lost(first, last) });
  }

  /** Position of the last event; 0 when there is none. */
  head(): number {
    return (this.#selectHead.get([]) as [number | null])[0] ?? 0;
  }

  /** @throws DamagedRecord */
  streamId(name: string): number | undefined {
    const id = (this.#selectStream.get([name]) as [number] | undefined)?.[0];
    // The list of names may be damaged: the stream would seem to be empty, or to be another one.
    if (id !== undefined && this.#streamName(id) !== name)
      throw new DamagedRecord(0, 'the name of its stream leads to another one', { stream: name });
    return id;
  }

  /** Revision of the stream's last event; -1 when it has none. */
  lastRevision(streamId: number): number {
    return (this.#selectLastRevision.get([streamId]) as [number | null])[0] ?? -1;
  }

  typeIds(): Map<string, number> {
    this.#loadTypes();
    return new Map([...this.#typeNames].map(([id, name]) => [name, id]));
  }

  /** Ids and positions of a range of revisions of a stream, as far as they exist. */
  identities(streamId: number, first: number, last: number): StoredIdentity[] {
    const rows = this.#selectIdentities.all([streamId, first, last]) as [number, Buffer, number][];
    return rows.map(([revision, id, position]) => ({ revision, id: uuidText(id), position }));
  }

  /**
   * Reads the events after a position, up to one that is known to exist; fewer than `rowsMax` where they are too large for one value.
   * Events of streams that `accepts` rejects are verified and left out.
   * @throws DamagedRecord, UnreadableEvent
   */
  page(after: number, upTo: number, rowsMax: number, accepts: (stream: string) => boolean): LogPage {
    try {
      return orDamaged(after + 1, () => this.#page(after, upTo, rowsMax, accepts));
    } catch (error) {
      if (!isTooBig(error) || rowsMax === 1) throw error;
      return this.page(after, upTo, Math.ceil(rowsMax / 2), accepts);
    }
  }

  #page(after: number, upTo: number, rowsMax: number, accepts: (stream: string) => boolean): LogPage {
    const [blob] = this.#selectPageBlob.get([after, Math.min(upTo, after + rowsMax)]) as [Buffer | null];
    const rows = blob === null ? [] : rowsIn(blob);
    const events: RecordedEvent[] = [];
    let textLength = 0;
    let expected = after + 1;
    for (const row of rows) {
      if (row[0] !== expected) throw new DamagedRecord(expected, 'it is missing');
      const event = this.#read(row, accepts);
      if (event !== undefined) events.push(event);
      textLength += row[5].length;
      expected += 1;
    }
    if (rows.length < rowsMax && expected <= upTo) throw new DamagedRecord(expected, 'it is missing');
    return { events, rows: rows.length, textLength };
  }

  /**
   * The rows of a range of positions that SQLite finds, in whatever order. A damaged page may hide some that another query finds.
   * @throws DamagedRecord when SQLite finds the file malformed
   */
  rows(first: number, last: number): readonly ReadRow[] {
    return orDamaged(first, () => this.#selectPage.all([first - 1, last, last - first + 1]) as ReadRow[]);
  }

  /** The first row behind a position. @throws DamagedRecord */
  rowAfter(position: number): ReadRow | undefined {
    return orDamaged(
      position + 1,
      () => this.#selectPage.get([position, Number.MAX_SAFE_INTEGER, 1]) as ReadRow | undefined,
    );
  }

  /** The event of a row, or what is wrong with it. */
  inspect(row: ReadRow): RecordedEvent | Damage {
    try {
      const event = orDamaged(row[0], () => this.#read(row, () => true));
      return event ?? { position: row[0], reason: 'its stream has no name' };
    } catch (error) {
      return { position: row[0], ...this.#claimedPlace(row), reason: reasonOf(error) };
    }
  }

  /** The names of a row's stream and type, if its checksum is right with them. */
  namesOfWhole(row: ReadRow): { readonly stream: string; readonly type: string } | undefined {
    try {
      return orDamaged(row[0], () => {
        const [stream, type] = [this.#streamName(row[1]), this.#typeName(row[4])];
        verifyRow(row, stream, type);
        return stream === undefined || type === undefined ? undefined : { stream, type };
      });
    } catch (error) {
      if (error instanceof DamagedRecord) return undefined;
      throw error;
    }
  }

  /** Where a damaged row says that it belongs. */
  #claimedPlace([, streamId, revision]: ReadRow): Pick<Damage, 'stream' | 'revision'> {
    const stream = this.#nameIfKnown(streamId);
    if (stream === undefined) return {};
    return Number.isSafeInteger(revision) && revision >= 0 ? { stream, revision } : { stream };
  }

  #nameIfKnown(streamId: number): string | undefined {
    try {
      const name = orDamaged(1, () => this.#streamName(streamId));
      return name !== undefined && isStreamName(name) ? name : undefined;
    } catch (error) {
      if (error instanceof DamagedRecord) return undefined;
      throw error;
    }
  }

  /** @throws DamagedRecord, UnreadableEvent */
  forwards(streamId: number, from: number, limit: number): RecordedEvent[] {
    const rows = this.#selectForwards.all([streamId, from, limit]) as ReadRow[];
    return this.#readConsecutive(rows, from, 1);
  }

  /** @throws DamagedRecord, UnreadableEvent */
  backwards(streamId: number, from: number, limit: number): RecordedEvent[] {
    const rows = this.#selectBackwards.all([streamId, from, limit]) as ReadRow[];
    const events = this.#readConsecutive(rows, from, -1);
    const oldest = events.at(-1);
    if (rows.length < limit && oldest !== undefined && oldest.revision > 0) {
      throw this.missing(streamId, oldest.revision - 1);
    }
    return events;
  }

  /** Events by their revisions, as far as they exist. @throws DamagedRecord, UnreadableEvent */
  at(streamId: number, revisions: readonly number[]): Map<number, RecordedEvent> {
    const rows = this.#selectRevisions.all([streamId, JSON.stringify(revisions)]) as ReadRow[];
    const events = new Map<number, RecordedEvent>();
    for (const row of rows) {
      const event = this.#read(row, () => true);
      if (event !== undefined) events.set(event.revision, event);
    }
    return events;
  }

  /** The damage of a revision that no row of the stream has. @throws DamagedRecord of another one, when the search for it meets that */
  missing(streamId: number, revision: number): DamagedRecord {
    const stream = this.#nameIfKnown(streamId);
    return new DamagedRecord(this.#missing.positionOf(streamId, revision), 'its revision is missing in its stream', {
      ...(stream !== undefined && { stream }),
      revision,
    });
  }

  /** Positions that have no whole row. */
  #lost(first: number, last: number): readonly number[] {
    const whole = new Set<number>();
    for (const row of this.rows(first, last)) if (this.namesOfWhole(row) !== undefined) whole.add(row[0]);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((at) => !whole.has(at));
  }

  /**
   * Verifies that a stream ends at a revision, where the next append goes on. Where the last record is damaged otherwise, its revision is
   * known by two copies, that of the index and that of the table, and by the one before it, whose checksum covers the stream's name too.
   * @throws DamagedRecord
   */
  verifyEnd(streamId: number, revision: number): void {
    const [row] = this.#selectBackwards.all([streamId, revision, 1]) as ReadRow[];
    if (row?.[2] !== revision) throw this.missing(streamId, revision);
    try {
      orDamaged(row[0], () => this.#verify(row));
    } catch (error) {
      // Nothing is known of the record when it could not be read at all.
      if (!(error instanceof DamagedRecord)) throw error;
      if (!orDamaged(row[0], () => this.#isKnownEnd(row))) throw error;
    }
  }

  /** Whether a damaged record is certainly the one after a whole one of its stream. A first record has none before it. */
  #isKnownEnd([position, streamId, revision]: ReadRow): boolean {
    const [copy] = this.rows(position, position);
    if (copy?.[1] !== streamId || copy[2] !== revision) return false;
    const [before] = this.#selectBackwards.all([streamId, revision - 1, 1]) as ReadRow[];
    if (revision === 0) return before === undefined;
    return before?.[2] === revision - 1 && this.namesOfWhole(before) !== undefined;
  }

  #verify(row: ReadRow): VerifiedEvent {
    try {
      return verifyRow(row, this.#streamName(row[1]), this.#typeName(row[4]));
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      throw new DamagedRecord(row[0], error.reason, this.#claimedPlace(row));
    }
  }

  #readConsecutive(rows: readonly ReadRow[], from: number, step: 1 | -1): RecordedEvent[] {
    const events: RecordedEvent[] = [];
    for (const [index, row] of rows.entries()) {
      const revision = from + index * step;
      if (row[2] !== revision) throw this.missing(row[1], revision);
      const event = this.#read(row, () => true);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  #read(row: ReadRow, accepts: (stream: string) => boolean): RecordedEvent | undefined {
    const [position, streamId, revision, , , , , recordedAtMs] = row;
    const event = this.#verify(row);
    const stream = this.#streamName(streamId);
    if (stream === undefined || !accepts(stream)) return undefined;
    return toRecorded(position, stream, revision, event, recordedAtMs, this.#registry);
  }

  #streamName(id: number): string | undefined {
    const known = this.#streamNames.get(id);
    if (known !== undefined) return known;
    const name = (this.#selectStreamName.get([id]) as [Buffer | null] | undefined)?.[0]?.toString();
    if (name !== undefined) this.#streamNames.set(id, name);
    return name;
  }

  #typeName(id: number): string | undefined {
    if (!this.#typeNames.has(id)) this.#loadTypes();
    return this.#typeNames.get(id);
  }

  #loadTypes(): void {
    for (const [id, name] of this.#selectTypes.all([]) as [number, Buffer | null][]) {
      this.#typeNames.set(id, name?.toString() ?? '');
    }
  }
}

/** Why a row cannot be read. @throws what tells nothing of the row */
function reasonOf(error: unknown): string {
  if (error instanceof DamagedRecord) return error.reason;
  if (error instanceof UnreadableEvent) return error.reason;
  throw error;
}
