import {
  type Checkpoint,
  DamagedRecord,
  ForeignCheckpoint,
  type ReadAllOptions,
  type RecordedEvent,
} from '../event-store.js';
import { UnreadableEvent } from '../registry.js';
import { salvage } from './salvage.js';
import type { LogReader } from './log-reader.js';

const PAGE_ROWS_MIN = 16;
const PAGE_ROWS_MAX = 1_024;

/**
 * Approximate page size in characters: large enough to amortise the query, small enough to keep the server responsive.
 */
const PAGE_TEXT_LENGTH = 512 * 1024;

/** A place in the log that moves forwards page by page. Pages are smaller when events are large. */
export class LogCursor {
  readonly #reader: LogReader;
  readonly #prefixes: readonly string[] | undefined;
  readonly #onDamage: ReadAllOptions['onDamage'];
  #pageRows = 128;
  #position: number;

  constructor(reader: LogReader, options: ReadAllOptions) {
    this.#reader = reader;
    this.#prefixes = options.streamPrefixes;
    this.#onDamage = options.onDamage;
    this.#position = resume(reader, options.after);
  }

  get position(): number {
    return this.#position;
  }

  /**
   * Returns the wanted events of the next page; possibly none although more follow.
   * @throws DamagedRecord, unless somebody wants to be told
   */
  readPage(upTo: number): readonly RecordedEvent[] {
    const onDamage = this.#onDamage;
    if (onDamage === undefined) return this.#readWhole(upTo);
    try {
      return this.#readWhole(upTo);
    } catch (error) {
      if (!(error instanceof DamagedRecord || error instanceof UnreadableEvent)) throw error;
      this.#pageRows = PAGE_ROWS_MIN;
      const { events, through } = salvage(this.#reader, this.#position + 1, upTo, this.#pageRows, onDamage);
      this.#position = through;
      return events.filter(({ stream }) => this.#accepts(stream));
    }
  }

  #readWhole(upTo: number): readonly RecordedEvent[] {
    const { events, rows, textLength } = this.#reader.page(this.#position, upTo, this.#pageRows, this.#accepts);
    this.#position += rows;
    const fitting = Math.floor((rows * PAGE_TEXT_LENGTH) / Math.max(textLength, 1));
    this.#pageRows = Math.min(Math.max(fitting, PAGE_ROWS_MIN), PAGE_ROWS_MAX, this.#pageRows * 2);
    return events;
  }

  /** Moves over events that are in memory and returns the wanted ones. */
  take(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
    this.#position += events.length;
    return this.#prefixes === undefined ? events : events.filter((event) => this.#accepts(event.stream));
  }

  readonly #accepts = (stream: string): boolean =>
    this.#prefixes === undefined || this.#prefixes.some((prefix) => stream.startsWith(prefix));
}

/**
 * Includes the event id beside its position, so that a checkpoint of another log, or of another history of this one, is
 * detected.
 */
export function checkpointOf({ position, id }: RecordedEvent): Checkpoint {
  return `${position}@${id}`;
}

const CHECKPOINT = /^(\d{1,16})(?:@([\da-f-]{36}))?$/;

/** @throws ForeignCheckpoint when another event is at the checkpoint's position */
function resume(reader: LogReader, checkpoint: Checkpoint | undefined): number {
  if (checkpoint === undefined) return 0;
  const [, digits, id] = CHECKPOINT.exec(checkpoint) ?? [];
  const position = Number(digits);
  if (!Number.isSafeInteger(position)) throw new RangeError('The checkpoint was not made by this event store.');
  // A checkpoint ahead of the log is reported by the caller, which knows what it means.
  if (id === undefined || position === 0 || position > reader.head()) return position;
  const [event] = reader.page(position - 1, position, 1, () => true).events;
  if (event?.id !== id) throw new ForeignCheckpoint(position);
  return position;
}
