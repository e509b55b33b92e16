import { EventStoreUnavailable } from '../event-store.js';
import type { DriverRecord } from './driver.js';
import { placeOf, positionOf, type ProposedEvent } from './record.js';
import type { ServerReads } from './server-reads.js';

const PAGE_EVENTS = 256;

/** Place of a stored append. */
export interface Stored {
  readonly lastRevision: number;
  /** Position of the last event. */
  readonly position: number;
  /** Position of each event, when they were read back. */
  readonly positions: readonly number[] | undefined;
}

/** Revision of the stream's last event; -1 when it has none. */
export async function lastRevision(reads: ServerReads, stream: string): Promise<number> {
  const [last] = (await reads.streamPage(stream, 'end', { direction: 'backwards', maxCount: 1 })) ?? [];
  return last === undefined ? -1 : Number(last.revision);
}

/** Searches for the events of one append after a revision; undefined when they are not stored. */
export async function findBack(
  reads: ServerReads,
  stream: string,
  after: number,
  events: readonly ProposedEvent[],
): Promise<Stored | undefined> {
  const wanted = events.at(-1)?.id;
  let from: number | 'end' = 'end';
  for (;;) {
    const options = { direction: 'backwards', maxCount: PAGE_EVENTS } as const;
    const page: readonly DriverRecord[] = (await reads.streamPage(stream, from, options)) ?? [];
    for (const { id, revision } of page) {
      if (Number(revision) <= after) return undefined;
      if (id === wanted) return whole(reads, stream, Number(revision), events);
    }
    const oldest = page.at(-1);
    if (oldest === undefined || Number(oldest.revision) === 0) return undefined;
    from = Number(oldest.revision) - 1;
  }
}

async function whole(
  reads: ServerReads,
  stream: string,
  last: number,
  events: readonly ProposedEvent[],
): Promise<Stored> {
  const options = { direction: 'forwards', maxCount: events.length } as const;
  const found = (await reads.streamPage(stream, last - events.length + 1, options)) ?? [];
  const places = found.map((event) => positionOf(placeOf(event)));
  const position = places.at(-1);
  if (position === undefined || events.some(({ id }, index) => found[index]?.id !== id)) {
    throw new EventStoreUnavailable(`The events of one append to ${stream} do not stand together.`);
  }
  return { lastRevision: last, position, positions: places };
}
