import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, createFolderSync, SystemClock } from '#kernel';
import {
  type Appended,
  type Checkpoint,
  type Damage,
  DamagedRecord,
  EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  lengthOf,
  type NewEvent,
  PAGES_LENGTH_MAX,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type StreamPage,
  type SubscribeOptions,
} from '../event-store.js';
import { assertFits, type PreparedEvent, prepareEvent } from '../prepared-event.js';
import type { EventRegistry } from '../registry.js';
import { AcknowledgedMark, assertReaches } from './acknowledged-mark.js';
import { type AppendCounters, Appender } from './appender.js';
import { type Connection, isOutOfRoom, openForReading, orDamaged, openForWriting } from './database.js';
import { LiveTail, Sleeper } from './live-tail.js';
import { checkpointOf, LogCursor } from './log-cursor.js';
import { LogReader } from './log-reader.js';
import { headOf, OPEN_END } from './salvage.js';
import { assertStreamName } from '../stream-name.js';
import { StreamHeads } from './stream-heads.js';
import { UnlistedSearch } from './unlisted-search.js';
import { WriterLock } from './writer-lock.js';

/** Interval at which a reading process polls for new events while it has subscribers. */
const POLL_INTERVAL_MS = 20;

/** Events of pages that one query reads: with the longest ones, some ten milliseconds. */
const EVENTS_TOGETHER_MAX = 64;

/** Checkpoints the write-ahead log into the file, unless a reader blocks it: the next start can do it as well. */
const TIDY_UP = 'PRAGMA busy_timeout = 100; PRAGMA wal_checkpoint(TRUNCATE)';

export interface SqliteEventStoreOptions {
  readonly clock?: Clock;
  /** Called in each transaction right before its commit. Tests throw here to make the commit fail. */
  readonly beforeCommit?: () => void;
  /** Called when the log cannot be written: `EventStoreFull` until there is space, otherwise permanently. */
  readonly onFailure?: (failure: EventStoreUnavailable) => void;
  /** Called when there is space again. */
  readonly onRecovery?: () => void;
  /** Called with the time in ms that each commit took, nearly all of it the sync of the disk. */
  readonly onSync?: (tookMs: number) => void;
}

/** Parts that only the writer has. */
interface Writing {
  readonly db: Connection;
  readonly lock: WriterLock;
  readonly mark: AcknowledgedMark;
  readonly heads: StreamHeads;
  readonly appender: Appender;
}

/**
 * Event log in one SQLite file. One process writes (`open`), and any number of others may read and subscribe at the
 * same time (`openReadOnly`). Positions are consecutive from 1.
 */
export class SqliteEventStore extends EventStore {
  readonly #tail: LiveTail;
  readonly #reader: LogReader;
  #writing: Writing | undefined;
  #polling: NodeJS.Timeout | undefined;
  /** Error that stopped the polling; it ends every subscription. */
  #pollFailure: Error | undefined;
  #closed = false;

  private constructor(
    private readonly db: Connection,
    private readonly registry: EventRegistry,
    reader: LogReader,
    tail: LiveTail,
    writing: Writing | undefined,
  ) {
    super();
    this.#reader = reader;
    this.#tail = tail;
    this.#writing = writing;
  }

  /**
   * Opens the log for writing; creates it when missing.
   * @throws EventStoreUnavailable when another process writes to it; DamagedRecord when acknowledged events are
   * missing.
   */
  static open(path: string, registry: EventRegistry, options: SqliteEventStoreOptions = {}): SqliteEventStore {
    createFolderSync(dirname(path));
    const lock = WriterLock.take(path);
    let db: Connection | undefined;
    let readDb: Connection | undefined;
    let mark: AcknowledgedMark | undefined;
    try {
      return orDamaged(1, () => {
        db = openForWriting(path);
        // A separate connection, so that reads never wait for a sync.
        readDb = openForReading(path);
        const reader = new LogReader(readDb, registry);
        const tail = new LiveTail(reader.head());
        mark = new AcknowledgedMark(`${path}.acknowledged`, tail.head);
        assertReaches(tail.head, mark.read(), path);
        const heads = new StreamHeads(reader);
        const nothing = (): void => undefined;
        const {
          clock = new SystemClock(),
          beforeCommit = nothing,
          onFailure = nothing,
          onRecovery = nothing,
          onSync,
        } = options;
        const watch = { onFailure, onRecovery, onSync };
        const appender = new Appender(db, reader, heads, tail, mark, registry, clock, beforeCommit, watch);
        return new SqliteEventStore(readDb, registry, reader, tail, { db, lock, mark, heads, appender });
      });
    } catch (error) {
      db?.close();
      readDb?.close();
      mark?.close();
      lock.release();
      throw error;
    }
  }

  /** Opens a log that another process may be writing to, for reads and subscriptions only. */
  static openReadOnly(path: string, registry: EventRegistry): SqliteEventStore {
    return orDamaged(1, () => {
      const db = openForReading(path);
      const reader = new LogReader(db, registry);
      // A damaged end is met by those who read as far.
      return new SqliteEventStore(db, registry, reader, new LiveTail(headOf(reader) ?? 0), undefined);
    });
  }

  override get failure(): EventStoreUnavailable | undefined {
    return this.#writing?.appender.failure;
  }

  /** Counters since the start, for metrics. */
  get counters(): AppendCounters {
    return this.#writing?.appender.counters ?? { transactions: 0, events: 0, conflicts: 0, waiting: 0 };
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[], known = -1): Promise<Appended> {
    this.#assertOpen();
    const writing = this.#writing;
    if (writing === undefined) throw new EventStoreUnavailable('This event store was opened for reading only.');
    // Checked here, so that an invalid name fails this append alone.
    assertStreamName(stream);
    const prepared = events.map((event) => prepareEvent(event, this.registry));
    return writing.appender.append({ stream, expected, events: prepared, known }, textLengthOf(stream, prepared));
  }

  async readStream(stream: string, options: ReadStreamOptions): Promise<readonly RecordedEvent[]> {
    this.#assertOpen();
    return orDamaged(1, () => this.#readStream(stream, options));
  }

  async readPages(pages: readonly StreamPage[]): Promise<readonly (readonly RecordedEvent[])[]> {
    this.#assertOpen();
    const read: (readonly RecordedEvent[])[] = [];
    let length = 0;
    while (read.length < pages.length && length <= PAGES_LENGTH_MAX) {
      const together = nextTogether(pages, read.length);
      for (const events of orDamaged(1, () => this.#readTogether(together))) {
        read.push(events);
        length += lengthOf(events);
      }
    }
    return read;
  }

  /** Pages of one stream, by one query. */
  #readTogether(pages: readonly StreamPage[]): readonly (readonly RecordedEvent[])[] {
    const alone = ({ stream, from, limit }: StreamPage): readonly RecordedEvent[] =>
      this.#readStream(stream, { from, limit });
    const [{ stream } = { stream: '' }, ...others] = pages;
    const { id, revision: last } = this.#streamHead(stream);
    if (others.length === 0 || id === undefined) return pages.map(alone);
    const wanted = pages.map(({ from, limit }) => revisionsOf(Math.max(from, 0), Math.min(from + limit - 1, last)));
    const found = this.#reader.at(id, wanted.flat());
    return pages.map((page, index) => {
      const events = (wanted[index] ?? []).flatMap((revision) => found.get(revision) ?? []);
      // An event is missing: a read of this page alone throws the error that names it.
      return events.length === wanted[index]?.length ? events : alone(page);
    });
  }

  #readStream(stream: string, options: ReadStreamOptions): readonly RecordedEvent[] {
    const { from, direction = 'forwards', limit } = options;
    if (!Number.isSafeInteger(limit) || limit < 0) throw new RangeError('The limit of a read is a whole number.');
    if (from !== undefined && !Number.isSafeInteger(from)) throw new RangeError('A revision is a whole number.');
    const { id, revision: last } = this.#streamHead(stream);
    if (id === undefined || limit === 0) return [];
    if (direction === 'backwards') {
      const start = Math.min(from ?? last, last);
      return start < 0 ? [] : this.#reader.backwards(id, start, limit);
    }
    const start = Math.max(from ?? 0, 0);
    const events = this.#reader.forwards(id, start, limit);
    if (start + events.length <= last && events.length < limit) throw this.#reader.missing(id, start + events.length);
    return events;
  }

  async *readAll(options: ReadAllOptions): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    this.#assertOpen();
    const head = options.onDamage === undefined ? this.#currentHead() : this.#headPastDamage();
    const cursor = new LogCursor(this.#reader, options);
    while (cursor.position < head) {
      this.#assertOpen();
      const events = cursor.readPage(head);
      if (events.length > 0) yield events;
      await nextTurn();
    }
  }

  async *subscribe(options: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    this.#assertOpen();
    const { signal } = options;
    const cursor = new LogCursor(this.#reader, options);
    const sleeper = new Sleeper();
    this.#follow(sleeper, cursor);
    signal.addEventListener('abort', sleeper.wake);
    try {
      while (!signal.aborted) {
        this.#assertOpen();
        if (this.#pollFailure !== undefined) throw this.#pollFailure;
        if (cursor.position >= this.#tail.head) {
          await sleeper.sleep();
          continue;
        }
        const live = this.#tail.after(cursor.position);
        const events = live === undefined ? cursor.readPage(this.#tail.head) : cursor.take(live);
        if (events.length > 0) yield events;
        // A long catch-up yields to requests between its pages. Live events are returned at once.
        if (live === undefined) await nextTurn();
      }
    } finally {
      signal.removeEventListener('abort', sleeper.wake);
      this.#unfollow(sleeper);
    }
  }

  async head(): Promise<number> {
    this.#assertOpen();
    return this.#currentHead();
  }

  async product(): Promise<string> {
    this.#assertOpen();
    const [version] = this.db.prepare('SELECT sqlite_version()').raw().get([]) as [string];
    return `SQLite ${version}`;
  }

  checkpointAfter(event: RecordedEvent): Checkpoint {
    return checkpointOf(event);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    const writing = this.#writing;
    this.#closed = true;
    const isSound = await writing?.appender.finish();
    clearInterval(this.#polling);
    this.#tail.wakeAll();
    try {
      // The driver keeps the connection until its statements are collected, so closing alone does not tidy up the log.
      this.db.close();
      if (isSound === true) tidyUp(writing?.db);
      writing?.db.close();
    } finally {
      writing?.mark.close();
      writing?.lock.release();
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw new EventStoreUnavailable('The event store is closed.');
  }

  /**
   * Tells of records that readers of streams do not find, though each may be whole by itself. Takes about as long as reading
   * everything.
   * @param upTo last position to look at: that of the last readable record
   */
  async findUnlisted(upTo: number, onDamage: (damage: Damage) => void): Promise<void> {
    this.#assertOpen();
    const search = new UnlistedSearch(this.db);
    search.lostStreams(onDamage);
    for (let position: number | undefined = 0; position !== undefined && position < upTo;) {
      position = search.next(position, onDamage);
      await nextTurn();
    }
  }

  /** The writer knows where the log ends; anything stored beyond that was never acknowledged. */
  #currentHead(): number {
    return this.#writing === undefined ? orDamaged(1, () => this.#reader.head()) : this.#tail.head;
  }

  #headPastDamage(): number {
    return (this.#writing === undefined ? headOf(this.#reader) : this.#tail.head) ?? OPEN_END;
  }

  #streamHead(stream: string): { readonly id: number | undefined; readonly revision: number } {
    const writing = this.#writing;
    // During a commit the heads count events that are not stored yet; after a failed one, events that never will be.
    if (writing !== undefined && this.failure === undefined && !writing.appender.isCommitting)
      return writing.heads.of(stream);
    const id = this.#reader.streamId(stream);
    return { id, revision: id === undefined ? -1 : this.#reader.lastRevision(id) };
  }

  #follow(sleeper: Sleeper, cursor: LogCursor): void {
    const head = this.#currentHead();
    if (cursor.position > head) {
      throw new DamagedRecord(
        head + 1,
        `a subscriber has already read up to ${cursor.position} and the log ends at ${head}`,
      );
    }
    this.#tail.join(sleeper);
    if (this.#writing !== undefined) return;
    this.#poll();
    this.#polling ??= setInterval(this.#poll, POLL_INTERVAL_MS);
  }

  #unfollow(sleeper: Sleeper): void {
    this.#tail.leave(sleeper);
    if (this.#tail.isFollowed) return;
    clearInterval(this.#polling);
    this.#polling = undefined;
  }

  readonly #poll = (): void => {
    try {
      const head = this.#reader.head();
      if (head > this.#tail.head) this.#tail.advance(head);
    } catch (error) {
      this.#pollFailure = error as Error;
      this.#tail.wakeAll();
    }
  };
}

/** The next pages of a list that are read by one query: of one stream, and with not too many events; one at least. */
function nextTogether(pages: readonly StreamPage[], from: number): readonly StreamPage[] {
  let [until, events] = [from, 0];
  for (; pages[until]?.stream === pages[from]?.stream && until < pages.length; until++) {
    events += pages[until]?.limit ?? 0;
    if (until > from && events > EVENTS_TOGETHER_MAX) break;
  }
  return pages.slice(from, until);
}

function revisionsOf(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => first + index);
}

/** A log that cannot be checkpointed for lack of space is still valid. */
function tidyUp(db: Connection | undefined): void {
  try {
    db?.exec(TIDY_UP);
  } catch (error) {
    if (!isOutOfRoom(error)) throw error;
  }
}

/** @throws AppendTooLarge */
function textLengthOf(stream: string, events: readonly PreparedEvent[]): number {
  let textLength = 0;
  for (const { data, metadata } of events) textLength += data.length + (metadata?.length ?? 0);
  assertFits(stream, events, textLength);
  return textLength;
}
