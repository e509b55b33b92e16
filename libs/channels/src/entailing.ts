import type { Fact } from '#kernel';

/** The facts of one request: the last of them says what is to follow from all, and how many they are (`requestFacts`). */
export function entailing<Event extends Fact<string, object>>(events: readonly Event[], entails: object = {}): Event[] {
  const last = events.at(-1);
  if (last === undefined) return [];
  const saying = { ...last, data: { ...last.data, entails: { facts: events.length, ...entails } } };
  return [...events.slice(0, -1), saying];
}
