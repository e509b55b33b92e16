import { type EventStore, openEventStore, type RecordedEvent, streams, withOrigin } from '#event-store';
import { BY_OPERATOR, newId } from '#kernel';
import { scrollback } from '#runtime';
import { assertLogExists, streamPrefix } from './log-address.js';

const PAGE = 500;
const DEACTIVATED = 'organization.deactivated.v1';
const REACTIVATED = 'organization.reactivated.v1';

/**
 * Restores the access that users had before an owner deactivated the organization. A log in a file is opened as by
 * its server, so one with a running server is refused; with a log on a server, running processes follow at once.
 * @returns whether it was deactivated
 */
export async function reactivateOrganization(address: string, nowSeconds: number): Promise<boolean> {
  assertLogExists(address);
  const store = await openEventStore(address, scrollback.registry, { streamPrefix: streamPrefix() });
  try {
    const [head] = await store.readStream(streams.organization, { direction: 'backwards', limit: 1 });
    if (head === undefined || (await lastOfEither(store, head.revision))?.type !== DEACTIVATED) return false;
    const event = withOrigin({ id: newId(), type: REACTIVATED, data: { at: nowSeconds } }, BY_OPERATOR);
    await store.append(streams.organization, head.revision, [event]);
    return true;
  } finally {
    await store.close();
  }
}

/** The newest deactivation or reactivation up to this revision. */
async function lastOfEither(store: EventStore, revision: number): Promise<RecordedEvent | undefined> {
  for (let from = revision; from >= 0; from -= PAGE) {
    const page = await store.readStream(streams.organization, { direction: 'backwards', from, limit: PAGE });
    const found = page.find(({ type }) => type === DEACTIVATED || type === REACTIVATED);
    if (found !== undefined) return found;
  }
  return undefined;
}
