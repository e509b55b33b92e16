import { type EventStore, type NewEvent, type RecordedEvent, RevisionConflict } from './event-store.js';

/** Maximum events in one append of the copy; a larger event is appended alone. */
const APPEND_EVENTS_MAX = 500;
const APPEND_TEXT_LENGTH_MAX = 256 * 1024;

export interface CopyLogOptions {
  /** Stops between two appends. Running the copy again resumes from there. */
  readonly signal?: AbortSignal;
  /**
   * Maximum appends that have not been acknowledged, for a target that keeps the order in which appends are begun; 1 by
   * default.
   */
  readonly inFlightMax?: number;
  /** Called after each append, and periodically while existing events are compared. */
  readonly onProgress?: (progress: CopyLogProgress) => void;
}

export interface CopyLogProgress {
  /** Events that the target already had, compared with the source. */
  readonly found: number;
  /** Events copied by this run. */
  readonly copied: number;
}

/** The target holds an event that the source does not, so it is not a copy of it. */
export class NotACopy extends Error {
  constructor(reason: string) {
    super(`The target is not a copy of this log: ${reason}. Copy to an empty one.`);
    this.name = 'NotACopy';
  }
}

/** The target holds all that the source does, and more. */
export class CopyGoesOn extends NotACopy {
  constructor(place: string) {
    super(`it goes on with ${place} where this log ends`);
    this.name = 'CopyGoesOn';
  }
}

/**
 * Copies the events of one store to another, up to the source's head at the start: each stream keeps its revisions, and
 * each event its id, data, metadata and time, in log order. Positions are the target's own; events arrive in the newest
 * shape of their type. Nothing else may append to the target meanwhile. An interrupted copy can be run again: it
 * compares what the target has and adds the rest. Memory does not grow with the log. When streams alternate, each
 * append waits for the acknowledgement of the one before, since only this keeps the order, except in a target that keeps it
 * by itself.
 * @throws NotACopy, and its kind CopyGoesOn; errors of the stores
 */
export async function copyLog(
  from: Pick<EventStore, 'readAll'>,
  to: EventStore,
  { signal, onProgress = () => undefined, inFlightMax = 1 }: CopyLogOptions = {},
): Promise<CopyLogProgress> {
  const target = eachOf(to.readAll({}));
  let there = await target.next();
  let found = 0;
  const appends = new Appends(to, inFlightMax);
  const report = (): void => {
    onProgress({ found, copied: appends.copied });
    signal?.throwIfAborted();
  };
  try {
    for await (const event of eachOf(from.readAll({}))) {
      if (there.done !== true) {
        assertSame(event, there.value);
        if (++found % APPEND_EVENTS_MAX === 0) report();
        there = await target.next();
      } else if (await appends.add(event)) {
        report();
      }
    }
    if (there.done !== true) throw new CopyGoesOn(placeOf(there.value));
  } finally {
    await appends.end();
  }
  appends.assertStored();
  report();
  return { found, copied: appends.copied };
}

/** Appends events in order, in batches. */
class Appends {
  copied = 0;
  #batch = new Batch();
  readonly #inFlight = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly inFlightMax: number,
  ) {}

  /** @returns whether earlier events were appended for it */
  async add(event: RecordedEvent): Promise<boolean> {
    const textLength = textLengthOf(event);
    const isFull = !this.#batch.takes(event, textLength);
    if (isFull) {
      this.#append();
      if (this.#inFlight.size >= this.inFlightMax) await Promise.race(this.#inFlight);
      this.assertStored();
    }
    this.#batch.add(event, textLength);
    return isFull;
  }

  /** Appends what is left, unless an append has failed, and waits for all. */
  async end(): Promise<void> {
    if (this.#failure === undefined) this.#append();
    await Promise.all(this.#inFlight);
  }

  /** @throws the error of the first append that failed */
  assertStored(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #append(): void {
    const batch = this.#batch;
    this.#batch = new Batch();
    const append = batch
      .appendTo(this.store)
      .then(
        (count) => {
          this.copied += count;
        },
        (error: unknown) => {
          this.#failure ??= { error };
        },
      )
      .finally(() => this.#inFlight.delete(append));
    this.#inFlight.add(append);
  }
}

async function* eachOf(pages: AsyncIterable<readonly RecordedEvent[]>): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const page of pages) yield* page;
}

/** Consecutive events of the log that belong to one stream. */
class Batch {
  readonly #events: RecordedEvent[] = [];
  #textLength = 0;

  takes(event: RecordedEvent, textLength: number): boolean {
    const [first] = this.#events;
    if (first === undefined) return true;
    if (first.stream !== event.stream || this.#events.length >= APPEND_EVENTS_MAX) return false;
    return this.#textLength + textLength <= APPEND_TEXT_LENGTH_MAX;
  }

  add(event: RecordedEvent, textLength: number): void {
    this.#events.push(event);
    this.#textLength += textLength;
  }

  /**
   * Appends the batch.
   * @returns the number of events
   */
  async appendTo(store: EventStore): Promise<number> {
    const events = this.#events;
    const [first] = events;
    if (first === undefined) return 0;
    const { stream, revision } = first;
    try {
      await store.append(stream, revision === 0 ? 'none' : revision - 1, events.map(asNew));
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      throw new NotACopy(`${stream} is at revision ${error.actual} before ${placeOf(first)} was copied`);
    }
    return events.length;
  }
}

function asNew({ id, type, data, metadata, recordedAtMs }: RecordedEvent<object>): NewEvent {
  return { id, type, data, metadata, recordedAtMs };
}

function textLengthOf({ data, metadata }: RecordedEvent): number {
  return JSON.stringify(data).length + JSON.stringify(metadata).length;
}

function assertSame(event: RecordedEvent, copy: RecordedEvent): void {
  const isSame = event.stream === copy.stream && event.revision === copy.revision && event.id === copy.id;
  if (!isSame) throw new NotACopy(`it has ${placeOf(copy)} where ${placeOf(event)} belongs`);
}

function placeOf({ stream, revision, id }: RecordedEvent): string {
  return `${stream}/${revision} (${id})`;
}
