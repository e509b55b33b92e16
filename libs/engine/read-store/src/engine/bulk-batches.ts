import type { RecordedEvent } from '#event-store';

/** Joins the pages of a long read into larger batches, up to a position. */
export async function* bulkBatches(
  pages: AsyncIterable<readonly RecordedEvent[]>,
  eventsMax: number,
  upTo = Infinity,
): AsyncGenerator<{ readonly events: readonly RecordedEvent[]; readonly last: RecordedEvent }, void, undefined> {
  let batch: RecordedEvent[] = [];
  for await (const page of pages) {
    let beyond = false;
    for (const event of page) {
      beyond = event.position > upTo;
      if (beyond) break;
      batch.push(event);
      if (batch.length < eventsMax) continue;
      yield { events: batch, last: event };
      batch = [];
    }
    if (beyond) break;
  }
  const last = batch.at(-1);
  if (last !== undefined) yield { events: batch, last };
}
