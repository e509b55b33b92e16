import type { Clock } from '#kernel';
import {
  type Appended,
  DamagedRecord,
  EventStoreFull,
  EventStoreUnavailable,
  RevisionConflict,
} from '../event-store.js';
import type { EventRegistry } from '../registry.js';
import type { AcknowledgedMark } from './acknowledged-mark.js';
import { AppendBatch, type AppendRequest } from './append-batch.js';
import { commitOffThread, type Connection, isOutOfRoom, type Statement, tryToWrite } from './database.js';
import { EventInserter } from './event-inserter.js';
import { EventTypes } from './event-types.js';
import type { LiveTail } from './live-tail.js';
import type { LogReader } from './log-reader.js';
import type { StreamHeads } from './stream-heads.js';

/** Maximum events in one transaction, so that the server answers other requests in between. */
const BATCH_EVENTS_MAX = 1_024;
const BATCH_TEXT_LENGTH_MAX = 4 * 1024 * 1024;

/** Maximum waiting appends: more than a working disk ever lets queue up. */
const WAITING_APPENDS_MAX = 65_536;

/** Interval at which a full disk is tried again; clients are told to retry after the same time. */
const ROOM_TRIED_EVERY_MS = 1_000;

/** Counters since the start, for metrics. */
export interface AppendCounters {
  /** Committed transactions; each is one sync of the disk. */
  readonly transactions: number;
  readonly events: number;
  readonly conflicts: number;
  /** Appends not yet committed. */
  readonly waiting: number;
}

/** Callbacks for the start and the end of a failure to append, and for each commit. */
export interface AppenderWatch {
  readonly onFailure: (failure: EventStoreUnavailable) => void;
  readonly onRecovery: () => void;
  /** Called with the time that a commit took off the main thread, nearly all of it the sync of the disk. */
  readonly onSync?: ((tookMs: number) => void) | undefined;
}

interface WaitingAppend extends AppendRequest {
  readonly textLength: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The one writer. Appends wait until the event loop has taken in all requests that have arrived; then all of them are
 * committed together with a single sync. The sync runs off the main thread, and appends that arrive meanwhile wait for
 * the next one.
 */
export class Appender {
  readonly #inserter: EventInserter;
  #types: EventTypes;
  readonly #insertStream: Statement;
  readonly #insertType: Statement;
  #waiting: WaitingAppend[] = [];
  #scheduled: NodeJS.Immediate | undefined;
  /** The commit in progress. Nothing else uses the connection until it ends. */
  #committing: Promise<void> | undefined;
  #failure: EventStoreUnavailable | undefined;
  #tryingRoom: NodeJS.Timeout | undefined;
  #nextStreamId: number;
  #transactions = 0;
  #events = 0;
  #conflicts = 0;

  constructor(
    private readonly db: Connection,
    private readonly reader: LogReader,
    private readonly heads: StreamHeads,
    private readonly tail: LiveTail,
    private readonly mark: AcknowledgedMark,
    private readonly registry: EventRegistry,
    private readonly clock: Clock,
    private readonly beforeCommit: () => void,
    private readonly watch: AppenderWatch,
  ) {
    this.#inserter = new EventInserter(db);
    this.#types = new EventTypes(reader);
    this.#insertStream = db.prepare('INSERT INTO streams (id, name) VALUES (?, ?)');
    this.#insertType = db.prepare('INSERT INTO event_types (id, name) VALUES (?, ?)');
    this.#nextStreamId =
      ((db.prepare('SELECT max(id) AS id FROM streams').raw().get([]) as [number | null])[0] ?? 0) + 1;
  }

  /** Why appends fail at the moment or permanently; undefined while the log is healthy. */
  get failure(): EventStoreUnavailable | undefined {
    return this.#failure;
  }

  get counters(): AppendCounters {
    return {
      transactions: this.#transactions,
      events: this.#events,
      conflicts: this.#conflicts,
      waiting: this.#waiting.length,
    };
  }

  /** Whether the heads of streams are ahead of what is stored. */
  get isCommitting(): boolean {
    return this.#committing !== undefined;
  }

  append(request: AppendRequest, textLength: number): Promise<Appended> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#waiting.length >= WAITING_APPENDS_MAX) {
      return Promise.reject(new EventStoreUnavailable('Too many appends are waiting for the disk.'));
    }
    return new Promise((resolve, reject) => {
      const { stream, expected, events, known } = request;
      this.#waiting.push({ stream, expected, events, known, textLength, resolve, reject });
      this.#schedule();
    });
  }

  /**
   * Commits the waiting appends and accepts no more.
   * @returns whether every commit succeeded
   */
  async finish(): Promise<boolean> {
    clearImmediate(this.#scheduled);
    clearTimeout(this.#tryingRoom);
    await this.#committing;
    while (this.#waiting.length > 0) await this.#commitWaiting();
    const isSound = this.#failure === undefined;
    this.#failure ??= new EventStoreUnavailable('The event store is closed.');
    return isSound;
  }

  #schedule(): void {
    if (this.#committing === undefined) this.#scheduled ??= setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#scheduled = undefined;
    this.#committing = this.#commitWaiting().finally(() => {
      this.#committing = undefined;
      if (this.#waiting.length > 0) this.#schedule();
    });
  };

  async #commitWaiting(): Promise<void> {
    const requests = this.#takeWaiting();
    const batch = new AppendBatch(this.reader, this.#types, this.tail.head, this.#nextStreamId, this.clock.nowMs());
    const settles: (() => void)[] = [];
    try {
      for (const request of requests) settles.push(this.#place(request, batch));
      if (batch.rows.length > 0) await this.#store(batch);
    } catch (error) {
      this.#fail(error, requests);
      return;
    }
    for (const settle of settles) settle();
  }

  #takeWaiting(): WaitingAppend[] {
    let events = 0;
    let textLength = 0;
    let count = 0;
    for (const waiting of this.#waiting) {
      events += waiting.events.length;
      textLength += waiting.textLength;
      if (count > 0 && (events > BATCH_EVENTS_MAX || textLength > BATCH_TEXT_LENGTH_MAX)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Every answer waits for the commit, even a refusal: it may rest on an event of the same batch. */
  #place(request: WaitingAppend, batch: AppendBatch): () => void {
    let answer: ReturnType<AppendBatch['place']>;
    try {
      answer = batch.place(request, this.heads.toAppend(request.stream, request.known));
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      return () => request.reject(error);
    }
    if (!(answer instanceof RevisionConflict)) return () => request.resolve(answer);
    this.#conflicts += 1;
    return () => request.reject(answer);
  }

  async #store(batch: AppendBatch): Promise<void> {
    const rows = batch.rows;
    this.db.exec('BEGIN IMMEDIATE');
    for (const { id, name } of batch.newStreams) this.#insertStream.run([id, name]);
    for (const { id, name } of this.#types.takeUnsaved()) this.#insertType.run([id, name]);
    this.#inserter.insert(rows);
    this.beforeCommit();
    const { onSync } = this.watch;
    const begunMs = onSync === undefined ? 0 : performance.now();
    await commitOffThread(this.db);
    onSync?.(performance.now() - begunMs);
    this.#advanceMark(batch.head);
    this.#nextStreamId += batch.newStreams.length;
    this.#transactions += 1;
    this.#events += rows.length;
    this.tail.advance(batch.head, this.#recorded(batch), batch.textLength);
  }

  /**
   * On a file system where even overwriting needs space, the mark may lag until there is some; the events are stored.
   */
  #advanceMark(head: number): void {
    try {
      this.mark.write(head);
    } catch (error) {
      if (!isOutOfRoom(error)) throw error;
    }
  }

  #recorded(batch: AppendBatch): ReturnType<AppendBatch['recorded']> | undefined {
    if (!this.tail.isFollowed) return undefined;
    try {
      return batch.recorded(this.registry);
    } catch {
      // The events are stored and their append succeeded. Subscribers meet the same error when they read them.
      return undefined;
    }
  }

  #fail(cause: unknown, requests: readonly WaitingAppend[]): void {
    if (isOutOfRoom(cause) && this.#isUndone()) this.#waitForRoom(cause);
    else this.#giveUp(cause);
    const failure = this.#failure;
    for (const { reject } of [...requests, ...this.#waiting.splice(0)]) reject(failure as Error);
  }

  /**
   * Rolls back.
   * @returns whether the rollback succeeded
   */
  #isUndone(): boolean {
    try {
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
      this.heads.forget();
      this.#types = new EventTypes(this.reader);
      return true;
    } catch {
      return false;
    }
  }

  #waitForRoom(cause: unknown): void {
    const failure = new EventStoreFull({ cause });
    this.#failure = failure;
    this.#tryingRoom = setTimeout(this.#tryRoom, ROOM_TRIED_EVERY_MS).unref();
    this.watch.onFailure(failure);
  }

  readonly #tryRoom = (): void => {
    try {
      tryToWrite(this.db);
    } catch (error) {
      if (isOutOfRoom(error)) this.#tryingRoom?.refresh();
      else this.#giveUp(error);
      return;
    }
    this.#failure = undefined;
    this.watch.onRecovery();
  };

  /**
   * Stops writing for good. After a failed sync the contents of the disk are unknown: the kernel may have dropped the
   * pages that it could not write, and report success the next time. Nothing is acknowledged from here on; a restart
   * reads what is really stored.
   */
  #giveUp(cause: unknown): void {
    const failure = new EventStoreUnavailable(
      'The event log could not be written. Nothing is stored until a restart.',
      {
        cause,
      },
    );
    this.#failure = failure;
    try {
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
    } catch {
      // SQLite rolls back when the next process opens the log; the original cause is what matters.
    }
    this.watch.onFailure(failure);
  }
}
