import { rangesOf } from '#kernel';
import type { MessagesDeleted } from './messages.events.js';

/** Groups messages that arrived in the channel together. */
export function arrivalsOf(
  messages: readonly { readonly id: number; readonly arrival: number | undefined }[],
): NonNullable<MessagesDeleted['data']['arrivals']> {
  const ids = new Map<number, number[]>();
  for (const { id, arrival } of messages) {
    if (arrival !== undefined) ids.set(arrival, [...(ids.get(arrival) ?? []), id]);
  }
  return Array.from(ids, ([arrival, some]) => ({ ids: rangesOf(some), arrival }));
}
