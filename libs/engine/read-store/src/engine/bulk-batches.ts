import type { RecordedEvent } from '#event-store';
import { weightOf } from '#kernel';

/** Events of a batch in memory, in bytes: what they change is some times as much, until it is written. */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;

/** Joins the pages of a long read into larger batches, up to a position. */
export async function* bulkBatches(
  pages: AsyncIterable<readonly RecordedEvent[]>,
  eventsMax: number,
  upTo = Infinity,
): AsyncGenerator<{ readonly events: readonly RecordedEvent[]; readonly last: RecordedEvent }, void, undefined> {
  let batch: RecordedEvent[] = [];
  let bytes = 0;
  for await (const page of pages) {
    let beyond = false;
    for (const event of page) {
      beyond = event.position > upTo;
      if (beyond) break;
      batch.push(event);
      bytes += bytesOf(event);
      if (batch.length < eventsMax && bytes < BATCH_BYTES_MAX) continue;
      yield { events: batch, last: event };
      batch = [];
      bytes = 0;
    }
    if (beyond) break;
  }
  const last = batch.at(-1);
  if (last !== undefined) yield { events: batch, last };
}

/** Approximate memory of an event. Most of what is large is text: a loop over the fields alone costs little for each of a million. */
function bytesOf({ data }: RecordedEvent): number {
  let bytes = 0;
  for (const value of Object.values(data as object))
    bytes += typeof value === 'string' ? value.length : weightOf(value);
  return bytes;
}
