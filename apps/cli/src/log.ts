import {
  type Damage,
  DamagedRecord,
  type EventStore,
  type RecordedEvent,
  streams,
  UnreadableEvent,
} from '#event-store';
import { includesId, type Ranges } from '#kernel';

const PAGE = 500;

type OnDamage = (damage: Damage) => void;

/** Events of the log, or of one stream, as stored; goes on behind damage. */
export async function* readEvents(
  store: EventStore,
  stream: string | undefined,
  onDamage: OnDamage,
): AsyncIterable<RecordedEvent> {
  if (stream === undefined) {
    for await (const page of store.readAll({ onDamage })) yield* page;
    return;
  }
  let from = 0;
  try {
    for (;;) {
      const page = await store.readStream(stream, { from, limit: PAGE });
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      from = last.revision + 1;
    }
  } catch (error) {
    if (!(error instanceof DamagedRecord || error instanceof UnreadableEvent)) throw error;
    // What a damaged record belonged to is not certain, so all are told.
    for await (const page of store.readAll({ onDamage }))
      for (const event of page) if (event.stream === stream && event.revision >= from) yield event;
  }
}

/** All events of a message, in order: its send, its own stream, and what was recorded for several messages in another one's. */
export async function* readMessageHistory(
  store: EventStore,
  messageId: number,
  onDamage: OnDamage,
): AsyncIterable<RecordedEvent> {
  for await (const page of store.readAll({
    streamPrefixes: [streams.messages, streams.allMessageChanges],
    onDamage,
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
