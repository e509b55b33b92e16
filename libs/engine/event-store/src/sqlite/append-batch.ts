import { type Appended, type ExpectedRevision, type RecordedEvent, RevisionConflict } from '../event-store.js';
import type { PreparedEvent } from '../prepared-event.js';
import type { EventRegistry } from '../registry.js';
import type { LogReader, StoredIdentity } from './log-reader.js';
import { checksumOf, type EventRow, shortMetadata, toRecorded, uuidBytes } from './record.js';
import type { StreamHead } from './stream-heads.js';
import type { EventTypes } from './event-types.js';

/** Parameters of an append. */
export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly PreparedEvent[];
  /** Revision that the stream is known to have reached. */
  readonly known: number;
}

interface PlacedEvent {
  readonly event: PreparedEvent;
  readonly stream: string;
  readonly row: EventRow;
}

/** The contents of one transaction: assigns each event its place before anything is written. */
export class AppendBatch {
  readonly #placed: PlacedEvent[] = [];
  readonly #newStreams: { readonly id: number; readonly name: string }[] = [];
  #textLength = 0;

  constructor(
    private readonly reader: LogReader,
    private readonly types: EventTypes,
    private readonly headBefore: number,
    private nextStreamId: number,
    private readonly recordedAtMs: number,
  ) {}

  get head(): number {
    return this.headBefore + this.#placed.length;
  }

  get rows(): readonly EventRow[] {
    return this.#placed.map(({ row }) => row);
  }

  get newStreams(): readonly { readonly id: number; readonly name: string }[] {
    return this.#newStreams;
  }

  get textLength(): number {
    return this.#textLength;
  }

  /** Places an append, advances the stream's head, and returns the answer for after the commit. */
  place({ stream, expected, events }: AppendRequest, head: StreamHead): Appended | RevisionConflict {
    if (events.length === 0) {
      return { position: 0, firstRevision: head.revision + 1, lastRevision: head.revision };
    }
    const wanted = expected === 'none' ? -1 : expected;
    if (wanted !== 'any' && wanted !== head.revision) {
      return this.#earlierAnswer(events, head, wanted) ?? new RevisionConflict(stream, expected, head.revision);
    }
    if (head.id === undefined) {
      head.id = this.nextStreamId++;
      this.#newStreams.push({ id: head.id, name: stream });
    }
    const firstRevision = head.revision + 1;
    for (const event of events) this.#add(event, stream, head.id, ++head.revision);
    return { position: this.head, firstRevision, lastRevision: head.revision };
  }

  /**
   * The events as subscribers get them: parsed again, so that they have the same shape as after a restart and share no
   * object with the caller.
   */
  recorded(registry: EventRegistry): RecordedEvent[] {
    return this.#placed.map(({ event, stream, row }) => toRecorded(row[0], stream, row[2], event, row[7], registry));
  }

  #add(event: PreparedEvent, stream: string, streamId: number, revision: number): void {
    const position = this.head + 1;
    const { id, type, data } = event;
    const metadata = shortMetadata(event.metadata);
    const recordedAtMs = event.recordedAtMs ?? this.recordedAtMs;
    const checksum = checksumOf(position, stream, revision, id, type, recordedAtMs, metadata, data);
    const typeId = this.types.idOf(type);
    this.#placed.push({
      event,
      stream,
      row: [position, streamId, revision, uuidBytes(id), typeId, data, metadata, recordedAtMs, checksum],
    });
    this.#textLength += data.length + (metadata?.length ?? 0);
  }

  /** The first answer, when these events are already stored where they were wanted: a repeated append. */
  #earlierAnswer(events: readonly PreparedEvent[], head: StreamHead, wanted: number): Appended | undefined {
    const first = wanted + 1;
    const last = wanted + events.length;
    if (head.id === undefined || last > head.revision) return undefined;
    const stored = [...this.reader.identities(head.id, first, last), ...this.#identities(head.id, first, last)];
    const position = stored.at(-1)?.position;
    if (position === undefined || stored.length !== events.length) return undefined;
    if (!stored.every(({ id }, index) => id === events[index]?.id)) return undefined;
    return { position, firstRevision: first, lastRevision: last };
  }

  #identities(streamId: number, first: number, last: number): StoredIdentity[] {
    return this.#placed
      .filter(({ row }) => row[1] === streamId && row[2] >= first && row[2] <= last)
      .map(({ event, row }) => ({ revision: row[2], id: event.id, position: row[0] }));
  }
}
