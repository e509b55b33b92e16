import type { EventRegistry, EventStore, RecordedEvent } from '#event-store';
import { streams } from '#event-store';

/** Streams that concern this server and not the organization: mail, devices that it notifies, progress of exports, who signs in. */
const LEFT_OUT: readonly string[] = ['mail-', 'missed-', 'notice-', 'devices-', 'zoom-', 'export-', 'uses'].map(
  (name) => streams.prefix + name,
);

/** An event in an archive (docs/export.md, "Log"). */
export interface ArchivedEvent {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly metadata: object;
  /** In milliseconds since the epoch. */
  readonly recorded_at: number;
}

/** Undefined when the event does not belong into an archive. */
export function archivedEvent(event: RecordedEvent<object>, registry: EventRegistry): ArchivedEvent | undefined {
  const { stream, revision, id, type, metadata, recordedAtMs } = event;
  if (LEFT_OUT.some((prefix) => stream.startsWith(prefix))) return undefined;
  return {
    stream,
    revision,
    id,
    type,
    data: registry.withoutCredentials(type, event.data),
    metadata,
    recorded_at: recordedAtMs,
  };
}

/** Events for one part of the archive, and the checkpoint after them. */
export class LogPart {
  #next: string | undefined;
  #isLast = true;

  constructor(
    private readonly store: EventStore,
    private readonly registry: EventRegistry,
    private readonly after: string | undefined,
    /** Position of the last event of the archive. */
    private readonly through: number,
    private readonly eventsMax: number,
  ) {}

  /** To be asked after `events` has ended: where the next part begins; '' when there is none. */
  get next(): string {
    return this.#isLast ? '' : (this.#next ?? '');
  }

  async *events(): AsyncGenerator<ArchivedEvent, void, void> {
    let count = 0;
    const options = this.after === undefined ? {} : { after: this.after };
    for await (const page of this.store.readAll(options)) {
      for (const event of page as readonly RecordedEvent<object>[]) {
        if (event.position > this.through) return;
        const archived = archivedEvent(event, this.registry);
        if (archived !== undefined) yield archived;
        this.#next = this.store.checkpointAfter(event);
        if (++count < this.eventsMax) continue;
        this.#isLast = event.position >= this.through;
        return;
      }
    }
  }
}
