import { type EventStore, streams } from '#event-store';
import type { Trigger } from '#follow-ups';
import type { OrganizationEvent } from '#people';

/** Loads the events of the request whose last event is given. */
export async function requestEvents(
  store: EventStore,
  { revision, data }: Trigger<{ readonly entails?: { readonly facts: number } }>,
): Promise<OrganizationEvent[]> {
  const count = data.entails?.facts ?? 1;
  const recorded = await store.readStream(streams.organization, { from: revision - count + 1, limit: count });
  // The stream holds no other types.
  return recorded.map(({ type, data }) => ({ type, data: data as unknown }) as OrganizationEvent);
}
