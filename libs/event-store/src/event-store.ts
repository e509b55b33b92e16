import type { JsonObject } from '#kernel';

/** A fact about to be recorded. `id` (a UUID) makes a retried append recognisable. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly metadata?: JsonObject;
  /** When another store took it, for an event that is copied from there; else the time of the append is recorded. */
  readonly recordedAtMs?: number;
}

/** A fact as recorded. Data are in the newest shape of their type: old versions are lifted by the registry on the way out. */
export interface Recorded<Data = any> {
  /** Place in the whole log: a safe integer > 0 that grows from event to event; not necessarily consecutive. */
  readonly position: number;
  readonly stream: string;
  /** Place in its stream, counted from 0 without gaps. */
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: Data;
  readonly metadata: JsonObject;
  /** When the store took it, in milliseconds since the epoch. */
  readonly recordedAtMs: number;
}

/** What an append must find: nothing in particular, no stream yet, or a stream whose last event has this revision. */
export type ExpectedRevision = 'any' | 'none' | number;

export interface Appended {
  /**
   * Whoever has read up to here has read the append. It is the position of its last event, or of a later event of the same
   * stream that was stored in the same instant when several appends at `any` came together. 0 for an append of no events:
   * there is nothing to wait for.
   */
  readonly position: number;
  /** Revision of the first event of the append in its stream. */
  readonly firstRevision: number;
  /** Revision of the last event of the append in its stream; -1 for an empty stream. */
  readonly lastRevision: number;
}

/** A place to resume from, opaque to all but the adapter that made it. */
export type Checkpoint = string;

export interface ReadStreamOptions {
  /** First revision to return (inclusive). Forwards from 0 and backwards from the end when absent. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  /** At most this many events. */
  readonly limit: number;
}

export interface ReadAllOptions {
  /** Resume after this checkpoint; from the beginning when absent. */
  readonly after?: Checkpoint;
  /** Only streams whose name begins with one of these; all streams when absent. */
  readonly streamPrefixes?: readonly string[];
}

export interface SubscribeOptions extends ReadAllOptions {
  /** Ends the subscription. */
  readonly signal: AbortSignal;
}

/** The stream was not where the append expected it. */
export class RevisionConflict extends Error {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** Revision of the stream's last event; -1 when it has none. */
    readonly actual: number,
  ) {
    super(`Stream ${stream} is at revision ${actual}, not at ${expected}.`);
    this.name = 'RevisionConflict';
  }
}

/** A record that is not what was written. Reading stops here: it is never skipped. */
export class DamagedRecord extends Error {
  constructor(
    readonly position: number,
    reason: string,
  ) {
    super(
      `The record at position ${position} is damaged: ${reason}. Restore the log from a backup; nothing after it is read.`,
    );
    this.name = 'DamagedRecord';
  }
}

/** The store cannot promise durability any more (a sync failed) or cannot be reached. */
export class EventStoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EventStoreUnavailable';
  }
}

/** What one append may hold, data and metadata and types of all its events together: EventStoreDB refuses more. */
export const APPEND_BYTES_MAX = 1024 * 1024;

/** An append of more than `APPEND_BYTES_MAX`. Nothing of it was stored. */
export class AppendTooLarge extends Error {
  constructor(readonly stream: string) {
    super(`An append to ${stream} holds more than ${APPEND_BYTES_MAX} bytes. Split it.`);
    this.name = 'AppendTooLarge';
  }
}

/**
 * The log: the only truth. An adapter promises that an acknowledged append is durable, that the events of one append
 * are stored together and in order, and that everybody reads one and the same order (DESIGN, decisions 1 to 3).
 */
export abstract class EventStore {
  /** Why nothing can be appended at the moment or any more, for the health check; undefined while all is well. */
  abstract get failure(): EventStoreUnavailable | undefined;

  /**
   * Adds events to one stream and resolves when they are durable. Repeating an append with the same event ids at the
   * same exact revision or at `none` gives the first answer again. An append of no events stores nothing and conflicts
   * with nothing; its `firstRevision` is the one that the next event would get. When a store on a server cannot be reached
   * in time, `EventStoreUnavailable` says so, and whether the events were stored is not known.
   * @throws RevisionConflict, AppendTooLarge, UnreadableEvent, EventStoreUnavailable
   */
  abstract append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended>;

  /**
   * A page of one stream; empty when the stream does not exist or ends before `from`.
   * @throws DamagedRecord, UnreadableEvent, EventStoreUnavailable
   */
  abstract readStream(stream: string, options: ReadStreamOptions): Promise<readonly Recorded[]>;

  /** The log up to its head at the time of reading, in pages. @throws as `readStream` does */
  abstract readAll(options: ReadAllOptions): AsyncIterable<readonly Recorded[]>;

  /**
   * The log from a checkpoint onwards, first what is there, then what comes, in order and without gaps, in batches that
   * are never empty. The consumer's pace is the subscription's pace: nothing is buffered without bound for a slow one.
   * Ends when the signal aborts. A store on a server resumes by itself when the server was away, however long that takes.
   * @throws DamagedRecord, also when the checkpoint is of another log; UnreadableEvent; EventStoreUnavailable once closed
   */
  abstract subscribe(options: SubscribeOptions): AsyncIterable<readonly Recorded[]>;

  /** Position of the last event in the log as it is now, whoever appended it; 0 when the log is empty. */
  abstract head(): Promise<number>;

  /** The checkpoint to resume after this event. */
  abstract checkpointAfter(event: Recorded): Checkpoint;

  abstract close(): Promise<void>;
}
