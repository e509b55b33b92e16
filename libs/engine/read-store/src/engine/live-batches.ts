import type { RecordedEvent } from '#event-store';

/** Items that the events of one commit list, such as the subscribers of a subscription: each is a few microseconds of work. */
const LISTED_MAX = 2_000;

/** Splits what a subscription brought into commits of some milliseconds of work each. One event is never split. */
export function* liveBatches(
  events: readonly RecordedEvent[],
  eventsMax: number,
): Generator<readonly RecordedEvent[], void, undefined> {
  let from = 0;
  let listed = 0;
  for (const [index, event] of events.entries()) {
    const own = listedIn(event);
    if (index > from && (index - from >= eventsMax || listed + own > LISTED_MAX)) {
      yield events.slice(from, index);
      from = index;
      listed = 0;
    }
    listed += own;
  }
  if (from < events.length) yield from === 0 ? events : events.slice(from);
}

function listedIn({ data }: RecordedEvent): number {
  let count = 0;
  for (const value of Object.values(data as object)) if (Array.isArray(value)) count += value.length;
  return count;
}
