import { type EventStore, type NewEvent, type RecordedEvent, RevisionConflict } from './event-store.js';

/** Maximum events in one append of the copy; a larger event is appended alone. */
const APPEND_EVENTS_MAX = 500;
const APPEND_TEXT_LENGTH_MAX = 256 * 1024;

export interface CopyLogOptions {
  /** Stops between two appends. Running the copy again resumes from there. */
  readonly signal?: AbortSignal;
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

/**
 * Copies the events of one store to another, up to the source's head at the start: each stream keeps its revisions, and
 * each event its id, data, metadata and time, in log order. Positions are the target's own; events arrive in the newest
 * shape of their type. Nothing else may append to the target meanwhile. An interrupted copy can be run again: it
 * compares what the target has and adds the rest. Memory does not grow with the log. When streams alternate, each
 * append waits for the acknowledgement of the one before, since only this keeps the order.
 * @throws NotACopy; errors of the stores
 */
export async function copyLog(
  from: EventStore,
  to: EventStore,
  { signal, onProgress = () => undefined }: CopyLogOptions = {},
): Promise<CopyLogProgress> {
  const target = eachOf(to.readAll({}));
  let there = await target.next();
  let found = 0;
  let copied = 0;
  const batch = new Batch();
  const flush = async (): Promise<void> => {
    copied += await batch.appendTo(to);
    onProgress({ found, copied });
    signal?.throwIfAborted();
  };
  for await (const event of eachOf(from.readAll({}))) {
    if (there.done !== true) {
      assertSame(event, there.value);
      if (++found % APPEND_EVENTS_MAX === 0) {
        onProgress({ found, copied });
        signal?.throwIfAborted();
      }
      there = await target.next();
      continue;
    }
    if (!batch.takes(event)) await flush();
    batch.add(event);
  }
  if (there.done !== true) throw new NotACopy(`it goes on with ${placeOf(there.value)} where this log ends`);
  await flush();
  return { found, copied };
}

async function* eachOf(pages: AsyncIterable<readonly RecordedEvent[]>): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const page of pages) yield* page;
}

/** Consecutive events of the log that belong to one stream. */
class Batch {
  #events: RecordedEvent[] = [];
  #textLength = 0;

  takes(event: RecordedEvent): boolean {
    const [first] = this.#events;
    if (first === undefined) return true;
    if (first.stream !== event.stream || this.#events.length >= APPEND_EVENTS_MAX) return false;
    return this.#textLength + textLengthOf(event) <= APPEND_TEXT_LENGTH_MAX;
  }

  add(event: RecordedEvent): void {
    this.#events.push(event);
    this.#textLength += textLengthOf(event);
  }

  /**
   * Appends the batch.
   * @returns the number of events
   */
  async appendTo(store: EventStore): Promise<number> {
    const events = this.#events;
    const [first] = events;
    if (first === undefined) return 0;
    this.#events = [];
    this.#textLength = 0;
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
