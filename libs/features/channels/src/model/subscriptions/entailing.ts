import type { DomainEvent } from '#kernel';

/** The events of one request: the last one names the follow-ups of all, and their number (`requestEvents`). */
export function entailing<Event extends DomainEvent<string, object>>(
  events: readonly Event[],
  entails: object = {},
): Event[] {
  const last = events.at(-1);
  if (last === undefined) return [];
  const saying = { ...last, data: { ...last.data, entails: { facts: events.length, ...entails } } };
  return [...events.slice(0, -1), saying];
}
