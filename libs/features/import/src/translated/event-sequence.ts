import { createHash } from 'node:crypto';
import { type RecordedEvent, streams } from '#event-store';
import type { Directory } from '#people';

/** An event before it has a place. */
export interface PlacelessEvent {
  readonly type: string;
  readonly data: object;
}

/** Streams that are written to throughout; any other is complete when its events are added. */
const LASTING: ReadonlySet<string> = new Set([streams.messages, streams.organization, streams.files]);
const NO_METADATA = Object.freeze({});

/**
 * Events that a translation makes from an archive, in order. The same archive gives the same events with the same IDs each time,
 * so an interrupted import can go on by comparing.
 */
export class EventSequence {
  readonly #revisions = new Map<string, number>();
  readonly #idPrefix: string;
  #pending: RecordedEvent[] = [];
  #position = 0;

  /**
   * @param seed identity of the archive
   * @param directory a new one, which follows
   */
  constructor(
    private readonly seed: string,
    readonly directory: Directory,
  ) {
    const hex = this.hashOf('events').toString('hex');
    // Version and variant, as RFC 9562 has them for names. The rest of an event's ID is its position.
    this.#idPrefix = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-`;
  }

  get pending(): number {
    return this.#pending.length;
  }

  /** An identifier that depends on the archive and the name alone, as a UUID. */
  idOf(name: string): string {
    const hex = this.hashOf(name).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  /** Bytes that depend on the archive and the name alone, and that nobody can guess who does not have the archive. */
  hashOf(name: string): Buffer {
    return createHash('sha256').update(`${this.seed}:${name}`).digest();
  }

  /** @returns the revision */
  add(stream: string, event: PlacelessEvent, at: number): number {
    const isLasting = LASTING.has(stream);
    const revision = isLasting ? (this.#revisions.get(stream) ?? -1) + 1 : 0;
    if (isLasting) this.#revisions.set(stream, revision);
    this.#record(stream, revision, event, at);
    return revision;
  }

  /** All events of a stream that is not written to again. */
  addAll(stream: string, events: readonly PlacelessEvent[], at: number): void {
    for (const [revision, event] of events.entries()) this.#record(stream, revision, event, at);
  }

  organization(event: PlacelessEvent, at: number): void {
    this.add(streams.organization, event, at);
  }

  /** The events since the last call. */
  take(): RecordedEvent[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  #record(stream: string, revision: number, { type, data }: PlacelessEvent, at: number): void {
    const position = ++this.#position;
    const id = this.#idPrefix + position.toString(16).padStart(12, '0');
    const event = { position, stream, revision, id, type, data, metadata: NO_METADATA, recordedAtMs: at * 1000 };
    this.directory.apply(event);
    this.#pending.push(event);
  }
}
