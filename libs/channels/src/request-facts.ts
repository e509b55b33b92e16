import { type EventStore, streams } from '#event-store';
import type { Cause } from '#follow-ups';
import type { OrganizationEvent } from '#organization';

/** The facts of the request that a fact about channels is the last of. */
export async function requestFacts(
  store: EventStore,
  { revision, data }: Cause<{ readonly entails?: { readonly facts: number } }>,
): Promise<OrganizationEvent[]> {
  const facts = data.entails?.facts ?? 1;
  const recorded = await store.readStream(streams.organization, { from: revision - facts + 1, limit: facts });
  // The stream holds no others.
  return recorded.map(({ type, data }) => ({ type, data: data as unknown }) as OrganizationEvent);
}
