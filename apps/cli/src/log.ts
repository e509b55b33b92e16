import { acknowledgedPosition, DamagedRecord, streams, type EventStore, type RecordedEvent } from '#event-store';
import { includesId, type Ranges } from '#kernel';

const PAGE = 500;

/** Events of the log, or of one stream, as stored. */
export async function* readEvents(store: EventStore, stream: string | undefined): AsyncIterable<RecordedEvent> {
  if (stream === undefined) {
    for await (const page of store.readAll({})) yield* page;
    return;
  }
  for (let from = 0; ;) {
    const page = await store.readStream(stream, { from, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    from = last.revision + 1;
  }
}

/** All events of a message, in order: its send, its own stream, and what was recorded for several messages in another one's. */
export async function* readMessageHistory(store: EventStore, messageId: number): AsyncIterable<RecordedEvent> {
  for await (const page of store.readAll({
    streamPrefixes: [streams.messages, streams.message(messageId).replace(/\d+$/, '')],
  })) {
    for (const event of page) if (concerns(event as RecordedEvent<{ ids?: Ranges }>, messageId)) yield event;
  }
}

function concerns({ stream, revision, data }: RecordedEvent<{ ids?: Ranges }>, messageId: number): boolean {
  if (stream === streams.messages) return revision + 1 === messageId;
  if (stream === streams.message(messageId)) return true;
  // A move or a deletion of several.
  return includesId(data.ids ?? [], messageId);
}

export interface Verified {
  readonly events: number;
  readonly head: number;
}

/**
 * Reads every record, and checks its data and, in an embedded log, its checksum; that no stream lacks an event, as
 * after a truncation or a scavenge on a server; and that an embedded log reaches the acknowledged position: a
 * truncation of its end leaves no other trace.
 * @param file the embedded log's; undefined for one on a server
 * @param look is called with every event
 * @throws DamagedRecord, naming the position
 */
export async function verify(
  store: Pick<EventStore, 'readAll' | 'head'>,
  file: string | undefined,
  look: (event: RecordedEvent) => void = () => undefined,
): Promise<Verified> {
  // Read first, since a running server appends meanwhile.
  const acknowledged = file === undefined ? 0 : acknowledgedPosition(file);
  let events = 0;
  // One entry per stream: some hundred megabytes when millions of messages were edited.
  const next = new Map<string, number>();
  for await (const page of store.readAll({})) {
    for (const event of page) {
      const { stream, revision, position } = event;
      look(event);
      const expected = next.get(stream) ?? 0;
      if (revision !== expected)
        throw new DamagedRecord(position, `revision ${expected} of stream ${stream} is missing before it`);
      next.set(stream, revision + 1);
    }
    events += page.length;
  }
  return { events, head: await reaching(acknowledged, store) };
}

/**
 * A truncation of the end of an embedded log leaves no other trace.
 * @throws DamagedRecord when the log ends before the acknowledged position
 */
export async function assertWhole(store: Pick<EventStore, 'head'>, file: string | undefined): Promise<void> {
  await reaching(file === undefined ? 0 : acknowledgedPosition(file), store);
}

async function reaching(acknowledged: number, store: Pick<EventStore, 'head'>): Promise<number> {
  const head = await store.head();
  if (head >= acknowledged) return head;
  throw new DamagedRecord(
    head + 1,
    `events up to position ${acknowledged} were acknowledged and the log ends at ${head}`,
  );
}
