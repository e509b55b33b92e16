import { BoundedMap } from '../bounded-map.js';
import { assertStreamName } from '../stream-name.js';
import type { LogReader } from './log-reader.js';

/** More than any transaction appends to, so a head in use is never forgotten before it is stored. */
const STREAM_HEADS_MAX = 32_768;

export interface StreamHead {
  /** Undefined until the stream has an event. */
  id: number | undefined;
  /** Revision of its last event; -1 when it has none. */
  revision: number;
}

/** Where streams end, as only their one writer can know it without asking. */
export class StreamHeads {
  readonly #heads = new BoundedMap<string, StreamHead>(STREAM_HEADS_MAX);
  readonly #reader: LogReader;

  constructor(reader: LogReader) {
    this.#reader = reader;
  }

  of(stream: string): StreamHead {
    const known = this.#heads.get(stream);
    if (known !== undefined) return known;
    assertStreamName(stream);
    const id = this.#reader.streamId(stream);
    const head = { id, revision: id === undefined ? -1 : this.#reader.lastRevision(id) };
    this.#heads.set(stream, head);
    return head;
  }
}
