import { type EventStore, messageIdOf, type RecordedEvent, streams } from '#event-store';
import { Slices } from '#kernel';
import type { MessageSent } from '#messages';
import { readAllPages } from '../pages.js';

export type SentEvent = RecordedEvent<MessageSent['data']>;

/** A read that continues over so many events that nobody asked for costs less than another read. */
const GAP_MAX = 16;
/** Events of one read: with those beside it, fifty megabytes of the longest messages. */
const RUN_MAX = 64;

/** A range of message IDs that are read together; both ends included. */
export type Run = readonly [first: number, last: number];

/** Runs that cover all of the IDs, which are ascending. */
export function runsOf(ids: readonly number[]): readonly Run[] {
  const runs: [number, number][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run === undefined || id - run[1] > GAP_MAX || id - run[0] >= RUN_MAX) runs.push([id, id]);
    else run[1] = id;
  }
  return runs;
}

/** The sends of messages, by ID, as far as there are any, in the order of the IDs; read in slices. @param ids ascending */
export async function sendsOf(
  store: Pick<EventStore, 'readPages'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, SentEvent>> {
  const wanted = new Set(ids);
  const sends = new Map<number, SentEvent>();
  // With the events beside those that are wanted, they may be two thousand.
  const slices = new Slices();
  const pages = runsOf(ids).map(([first, last]) => ({
    stream: streams.messages,
    from: first - 1,
    limit: last - first + 1,
  }));
  for await (const read of readAllPages(store, pages)) {
    for (const event of read.flat() as readonly SentEvent[]) {
      const id = messageIdOf(event.revision);
      if (wanted.has(id)) sends.set(id, event);
    }
    if (slices.isOver) await slices.next();
  }
  return sends;
}
