import { type EventStore, messageIdOf, type RecordedEvent, streams } from '#event-store';
import { Slices } from '#kernel';
import type { MessageSent } from '#messages';
import { readAllPages } from '../pages.js';

export type SentEvent = RecordedEvent<MessageSent['data']>;

/** The sends of messages, by ID, as far as there are any, in the order of the IDs; read in slices. @param ids ascending */
export async function sendsOf(
  store: Pick<EventStore, 'readPages'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, SentEvent>> {
  const sends = new Map<number, SentEvent>();
  const slices = new Slices();
  const pages = ids.map((id) => ({ stream: streams.messages, from: id - 1, limit: 1 }));
  for await (const read of readAllPages(store, pages)) {
    for (const event of read.flat() as readonly SentEvent[]) sends.set(messageIdOf(event.revision), event);
    if (slices.isOver) await slices.next();
  }
  return sends;
}
