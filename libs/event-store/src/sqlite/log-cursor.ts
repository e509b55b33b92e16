import { type Checkpoint, DamagedRecord, type ReadAllOptions, type Recorded } from '../event-store.js';
import type { LogReader } from './log-reader.js';

const PAGE_ROWS_MIN = 16;
const PAGE_ROWS_MAX = 1_024;

/** About what a page may hold, in characters: enough to make the query's own cost vanish, little enough to keep the server responsive. */
const PAGE_TEXT_LENGTH = 512 * 1024;

/** A place in the log that moves forwards page by page. Pages get smaller when events are large. */
export class LogCursor {
  readonly #reader: LogReader;
  readonly #prefixes: readonly string[] | undefined;
  #pageRows = 128;
  #position: number;

  constructor(reader: LogReader, options: ReadAllOptions) {
    this.#reader = reader;
    this.#prefixes = options.streamPrefixes;
    this.#position = resume(reader, options.after);
  }

  get position(): number {
    return this.#position;
  }

  /** The wanted events of the next page; possibly none although more follow. @throws DamagedRecord */
  readPage(upTo: number): readonly Recorded[] {
    const { events, rows, textLength } = this.#reader.page(this.#position, upTo, this.#pageRows, this.#accepts);
    this.#position += rows;
    const fitting = Math.floor((rows * PAGE_TEXT_LENGTH) / Math.max(textLength, 1));
    this.#pageRows = Math.min(Math.max(fitting, PAGE_ROWS_MIN), PAGE_ROWS_MAX, this.#pageRows * 2);
    return events;
  }

  /** Moves over events that are in memory, and gives back the wanted ones. */
  take(events: readonly Recorded[]): readonly Recorded[] {
    this.#position += events.length;
    return this.#prefixes === undefined ? events : events.filter((event) => this.#accepts(event.stream));
  }

  readonly #accepts = (stream: string): boolean =>
    this.#prefixes === undefined || this.#prefixes.some((prefix) => stream.startsWith(prefix));
}

/** Names the event as well as its place, so that whoever resumes in another log, or in another future of this one, is told. */
export function checkpointOf({ position, id }: Recorded): Checkpoint {
  return `${position}@${id}`;
}

const CHECKPOINT = /^(\d{1,16})(?:@([\da-f-]{36}))?$/;

/** @throws DamagedRecord when another event stands where the checkpoint was made */
function resume(reader: LogReader, checkpoint: Checkpoint | undefined): number {
  if (checkpoint === undefined) return 0;
  const [, digits, id] = CHECKPOINT.exec(checkpoint) ?? [];
  const position = Number(digits);
  if (!Number.isSafeInteger(position)) throw new Error('The checkpoint was not made by this event store.');
  // Whoever is ahead of the log is told so by those who know what that means.
  if (id === undefined || position === 0 || position > reader.head()) return position;
  const [event] = reader.page(position - 1, position, 1, () => true).events;
  if (event?.id !== id)
    throw new DamagedRecord(
      position,
      'a reader has seen another event there (after restoring or replacing the log on purpose, delete the read models)',
    );
  return position;
}
