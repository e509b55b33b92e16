import { BoundedMap } from '#kernel';
import { DamagedRecord } from '../event-store.js';
import { assertStreamName } from '../stream-name.js';
import type { LogReader } from './log-reader.js';

/** More than any transaction appends to, so a head in use is never evicted before it is stored. */
const STREAM_HEADS_MAX = 32_768;

export interface StreamHead {
  /** Undefined until the stream has an event. */
  id: number | undefined;
  /** Revision of its last event; -1 when it has none. */
  revision: number;
  /** Whether its end is known to be that. */
  isVerified: boolean;
}

/** Ends of streams, which the single writer knows without a query. */
export class StreamHeads {
  #heads = new BoundedMap<string, StreamHead>(STREAM_HEADS_MAX);
  readonly #reader: LogReader;

  constructor(reader: LogReader) {
    this.#reader = reader;
  }

  /** Called after a failed commit, when the heads count events that were not stored. */
  forget(): void {
    this.#heads = new BoundedMap(STREAM_HEADS_MAX);
  }

  of(stream: string): StreamHead {
    const known = this.#heads.get(stream);
    if (known !== undefined) return known;
    assertStreamName(stream);
    const id = this.#reader.streamId(stream);
    const head = { id, revision: id === undefined ? -1 : this.#reader.lastRevision(id), isVerified: false };
    this.#heads.set(stream, head);
    return head;
  }

  /**
   * Where the next append goes on. A last record that is damaged may have another revision than it says, and a stream with a gap, or with
   * two events of one revision, is damaged for ever.
   *
   * Noticed only when the caller knows what the stream has reached: that its last records are gone, index and all, so that their
   * revisions would be given again; and that it has lost its name, so that the name would begin another stream. Each would take a look at
   * the whole log, as `verify` does.
   * @param known revision that the stream is known to have reached
   * @throws DamagedRecord
   */
  toAppend(stream: string, known: number): StreamHead {
    const head = this.of(stream);
    const { id, revision, isVerified } = head;
    if (revision < known) throw this.#ended(stream, id, revision + 1);
    if (id !== undefined && revision >= 0 && !isVerified) this.#reader.verifyEnd(id, revision);
    head.isVerified = true;
    return head;
  }

  #ended(stream: string, id: number | undefined, revision: number): DamagedRecord {
    if (id !== undefined) return this.#reader.missing(id, revision);
    return new DamagedRecord(0, 'the name of its stream leads to none', { stream, revision });
  }
}
