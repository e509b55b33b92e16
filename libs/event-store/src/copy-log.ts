import { type EventStore, type NewEvent, type Recorded, RevisionConflict } from './event-store.js';

/** What one append of the copy holds at most; an event that is larger goes alone. */
const APPEND_EVENTS_MAX = 500;
const APPEND_TEXT_LENGTH_MAX = 256 * 1024;

export interface CopyLogOptions {
  /** Stops between two appends. Running the copy again goes on from there. */
  readonly signal?: AbortSignal;
  /** Told after each append, and from time to time while what is there is compared. */
  readonly onProgress?: (progress: CopyLogProgress) => void;
}

export interface CopyLogProgress {
  /** Events that the target had already, compared. */
  readonly found: number;
  /** Events copied by this run. */
  readonly copied: number;
}

/** The target holds something that the source does not, so it is not a copy of it. */
export class NotACopy extends Error {
  constructor(reason: string) {
    super(`The target is not a copy of this log: ${reason}. Copy to an empty one.`);
    this.name = 'NotACopy';
  }
}

/**
 * Copies the events of one store to another, up to the source's head at the start: every stream keeps its revisions, and
 * every event its id, data, metadata and time, in the order of the log. Positions are the target's own. Event types arrive
 * in their newest shape. Nobody else may append to the target meanwhile.
 *
 * It can be run again after it was interrupted: what the target has is compared, and the rest is added. Memory does not
 * grow with the log. Appends to several streams in turn are as slow as the target acknowledges them one by one, since
 * only so their order is certain.
 * @throws NotACopy; what the stores throw
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

async function* eachOf(pages: AsyncIterable<readonly Recorded[]>): AsyncGenerator<Recorded, void, undefined> {
  for await (const page of pages) yield* page;
}

/** Events that follow each other in one stream and in the log. */
class Batch {
  #events: Recorded[] = [];
  #textLength = 0;

  takes(event: Recorded): boolean {
    const [first] = this.#events;
    if (first === undefined) return true;
    if (first.stream !== event.stream || this.#events.length >= APPEND_EVENTS_MAX) return false;
    return this.#textLength + textLengthOf(event) <= APPEND_TEXT_LENGTH_MAX;
  }

  add(event: Recorded): void {
    this.#events.push(event);
    this.#textLength += textLengthOf(event);
  }

  /** How many events there were. */
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

function asNew({ id, type, data, metadata, recordedAtMs }: Recorded<object>): NewEvent {
  return { id, type, data, metadata, recordedAtMs };
}

function textLengthOf({ data, metadata }: Recorded): number {
  return JSON.stringify(data).length + JSON.stringify(metadata).length;
}

function assertSame(event: Recorded, copy: Recorded): void {
  const isSame = event.stream === copy.stream && event.revision === copy.revision && event.id === copy.id;
  if (!isSame) throw new NotACopy(`it has ${placeOf(copy)} where ${placeOf(event)} belongs`);
}

function placeOf({ stream, revision, id }: Recorded): string {
  return `${stream}/${revision} (${id})`;
}
