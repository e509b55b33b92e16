import type { ReadAllOptions, Recorded } from '../event-store.js';
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
    this.#position = positionOf(options.after);
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

function positionOf(checkpoint: string | undefined): number {
  if (checkpoint === undefined) return 0;
  const position = Number(checkpoint);
  if (/^\d{1,16}$/.test(checkpoint) && Number.isSafeInteger(position)) return position;
  throw new Error('The checkpoint was not made by this event store.');
}
