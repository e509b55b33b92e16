import type { JsonObject } from '#kernel';

/** An event to be recorded. `id` (a UUID) identifies a repeated append. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly metadata?: JsonObject;
  /** Time at which another store recorded the event, for copies; the time of the append when absent. */
  readonly recordedAtMs?: number;
}

/** A recorded event. Data are in the newest shape of their type: the registry upcasts old versions on reading. */
export interface RecordedEvent<Data = any> {
  /** Place in the whole log: a safe integer > 0 that grows with each event; not necessarily consecutive. */
  readonly position: number;
  readonly stream: string;
  /** Place in its stream, counted from 0 without gaps. */
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: Data;
  readonly metadata: JsonObject;
  /** Time at which the store recorded it, in milliseconds since the epoch. */
  readonly recordedAtMs: number;
}

/** Condition of an append: none (`any`), that the stream does not exist (`none`), or the revision of its last event. */
export type ExpectedRevision = 'any' | 'none' | number;

export interface Appended {
  /**
   * Position to wait for: a reader that has passed it has read the append. It is the position of the append's last
   * event, or of a later event of the same stream that was stored together with it when several appends at `any` were
   * merged. 0 for an empty append.
   */
  readonly position: number;
  /** Revision of the first event of the append in its stream. */
  readonly firstRevision: number;
  /** Revision of the last event of the append in its stream; -1 for an empty stream. */
  readonly lastRevision: number;
}

/** A place to resume from; opaque except to the adapter that made it. */
export type Checkpoint = string;

export interface ReadStreamOptions {
  /** First revision to return (inclusive). When absent: 0 forwards, the end backwards. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  /** Maximum number of events. */
  readonly limit: number;
}

/** Some events of a stream, forwards. */
export interface StreamPage {
  readonly stream: string;
  /** First revision (inclusive). */
  readonly from: number;
  /** Maximum number of events. */
  readonly limit: number;
}

/** `readPages` may leave out further pages once those before them hold more: as JSON text, in characters. */
export const PAGES_LENGTH_MAX = 512 * 1024;

/** What events count of `PAGES_LENGTH_MAX`. */
export function lengthOf(events: readonly RecordedEvent[]): number {
  return events.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
}

export interface ReadAllOptions {
  /** Resume after this checkpoint; from the beginning when absent. */
  readonly after?: Checkpoint;
  /** Only streams whose name begins with one of these; all streams when absent. */
  readonly streamPrefixes?: readonly string[];
  /**
   * Called for each record that cannot be read, of whatever stream; reading goes on behind it. Without it, reading stops there.
   * For those who look for damage alone: a reader that goes on behind it has an incomplete past.
   */
  readonly onDamage?: (damage: Damage) => void;
}

export interface SubscribeOptions extends Omit<ReadAllOptions, 'onDamage'> {
  /** Ends the subscription. */
  readonly signal: AbortSignal;
}

/** The stream's revision was not the one that the append expected. */
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

/** A record that differs from what was written, cannot be read, or is missing. Without contents. */
export interface Damage {
  /** 0 when it is not known: the record is missing, and only its place in its stream is known. */
  readonly position: number;
  /** Position of the last one, of several in a row; absent for a single one. */
  readonly through?: number;
  /** Its stream, as far as it is known. */
  readonly stream?: string;
  readonly revision?: number;
  /** A clause such as `it is missing`. */
  readonly reason: string;
}

/** Where a damaged record belongs, as far as it is known. */
export type DamagedPlace = Pick<Damage, 'stream' | 'revision'>;

/** Damage as a line for people. */
export function damageLine({ position, through, stream, revision, reason }: Damage): string {
  const one = position === 0 ? 'Unknown position' : `Position ${position}`;
  const positions = through === undefined ? one : `Positions ${position} to ${through}`;
  return `${positions}${placeText({ stream, revision })}: ${reason}.`;
}

function placeText({ stream, revision }: { [Name in keyof DamagedPlace]: DamagedPlace[Name] | undefined }): string {
  const places = [stream, revision === undefined ? undefined : `revision ${revision}`].filter(Boolean);
  return places.length === 0 ? '' : ` (${places.join(', ')})`;
}

/** A record differs from what was written. Reading stops here; the record is never skipped. */
export class DamagedRecord extends Error {
  /** @param position 0 when it is not known */
  constructor(
    readonly position: number,
    /** A clause such as `it is missing`; without contents. */
    readonly reason: string,
    readonly place: DamagedPlace = {},
  ) {
    super(
      `The record at ${position === 0 ? 'an unknown position' : `position ${position}`}${placeText(place)} is damaged: ${reason}. Nothing after it is read. In a log in a file, repair --from BACKUP replaces it.`,
    );
    this.name = 'DamagedRecord';
  }
}

/** A reader comes from another log, or from another past of this one. No record need be damaged. */
export class ForeignCheckpoint extends DamagedRecord {
  constructor(position: number) {
    super(
      position,
      'a reader has seen another event there (after restoring or replacing the log on purpose, delete the read models)',
    );
  }
}

/** The store cannot be reached, or cannot promise durability any more because a sync failed. */
export class EventStoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EventStoreUnavailable';
  }
}

/** The disk of the log is full. Nothing was stored; appends succeed again, without a restart, once there is space. */
export class EventStoreFull extends EventStoreUnavailable {
  constructor(options?: ErrorOptions) {
    super('There is no room for the event log.', options);
    this.name = 'EventStoreFull';
  }
}

/** Maximum size of one append: types, data and metadata of all its events. EventStoreDB refuses more. */
export const APPEND_BYTES_MAX = 1024 * 1024;

/** An append larger than `APPEND_BYTES_MAX`. Nothing was stored. */
export class AppendTooLarge extends Error {
  constructor(readonly stream: string) {
    super(`An append to ${stream} holds more than ${APPEND_BYTES_MAX} bytes. Split it.`);
    this.name = 'AppendTooLarge';
  }
}

/**
 * The event log, the only source of truth. An adapter guarantees that an acknowledged append is durable, that the
 * events of one append are stored together and in order, and that all readers see the same order.
 */
export abstract class EventStore {
  /** Why appends fail at the moment or permanently, for the health check; undefined while the store is healthy. */
  abstract get failure(): EventStoreUnavailable | undefined;

  /** Damage that readers have met since the start, as far as anybody watches. */
  get damages(): readonly Damage[] {
    return [];
  }

  /**
   * Appends events to one stream and resolves when they are durable. Repeating an append with the same event ids at the
   * same exact revision or at `none` returns the first answer again. An empty append stores nothing and never
   * conflicts; its `firstRevision` is the one that the next event would get. `EventStoreUnavailable` from a server that
   * cannot be reached in time leaves open whether the events were stored.
   * @param known revision that the stream is known to have reached. A log in a file refuses where the stream ends before it. EventStoreDB
   * cannot: it compares a revision exactly or not at all, so each append beside another one would conflict, and a read before each
   * append would be one more call that a send waits for. There a log that has lost its end is met by the read side when it starts: its
   * checkpoints are not in it.
   * @throws RevisionConflict, AppendTooLarge, UnreadableEvent, EventStoreUnavailable, DamagedRecord
   */
  abstract append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    known?: number,
  ): Promise<Appended>;

  /**
   * A page of one stream; empty when the stream does not exist or ends before `from`.
   * @throws DamagedRecord, UnreadableEvent, EventStoreUnavailable
   */
  abstract readStream(stream: string, options: ReadStreamOptions): Promise<readonly RecordedEvent[]>;

  /**
   * Pages of several streams, each as `readStream` answers it, in the order of the list: faster than one call for each. An answer
   * that exceeds `PAGES_LENGTH_MAX` may have fewer pages than were asked for; it has one at least, unless none was asked for.
   * @throws as `readStream` does
   */
  abstract readPages(pages: readonly StreamPage[]): Promise<readonly (readonly RecordedEvent[])[]>;

  /**
   * Reads the log up to its head at the time of the call, in pages.
   * @throws as `readStream` does
   */
  abstract readAll(options: ReadAllOptions): AsyncIterable<readonly RecordedEvent[]>;

  /**
   * Follows the log from a checkpoint: stored events first, then live ones, in order and without gaps, in non-empty
   * batches. The consumer sets the pace; buffers are bounded. Ends when the signal aborts. An adapter for a server
   * reconnects by itself after an outage of any length.
   * @throws DamagedRecord, also when the checkpoint is from another log; UnreadableEvent; EventStoreUnavailable once
   * closed
   */
  abstract subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]>;

  /** Position of the last event in the log now, from any process; 0 when the log is empty. */
  abstract head(): Promise<number>;

  /** Product and version of the store, such as `SQLite 3.44.0`. */
  abstract product(): Promise<string>;

  /** The checkpoint to resume after this event. */
  abstract checkpointAfter(event: RecordedEvent): Checkpoint;

  abstract close(): Promise<void>;
}
