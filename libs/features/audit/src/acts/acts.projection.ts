import { type EventOrigin, originOf, parseOrigin, type RecordedEvent } from '#event-store';
import type { CollectionSchema, Projection } from '#read-store';
import type { UsesNoted } from '#uses';
import { keyOf, type PlaceRow } from '../places/place-row.js';
import { timeOf } from '../rows.js';
import { ACT_TYPES } from './act-types.js';

/** Who acts, as keys begin with it: a user's ID, or the operator. */
export type Who = number | 'operator';

/** Where in the log an act of somebody stands. The key is who and the position. */
export const auditActsCollection = {
  name: 'audit_acts',
  key: 'text',
  fields: {},
  indexes: [],
} as const satisfies CollectionSchema;

/** A row for each act, by who did it. */
export const auditActsProjection: Projection<PlaceRow> = {
  collection: auditActsCollection,
  handles: new Set(ACT_TYPES),
  // Each act has a key of its own, since it ends with its position.
  keys: (event: RecordedEvent<object>) =>
    actorsOf(event).map((who) => ({ key: keyOf(String(who), event.position), fresh: true })),
  evolve: (_, event: RecordedEvent<object>) => {
    const { position, stream, revision } = event;
    return { position, stream, revision, at: timeOf(event) };
  },
};

/** Who did what the event records: several for uses, nobody for what the server does. */
function actorsOf(event: RecordedEvent<object>): readonly Who[] {
  if (event.type !== 'uses.noted.v1') return whoIs(originOf(event));
  const { uses } = event.data as UsesNoted['data'];
  return [...new Set(uses.flatMap(({ o }) => whoIs(parseOrigin(o))))];
}

/** Nobody for the server, for visitors, and for events that do not say it. */
export function whoIs(origin: Pick<EventOrigin, 'by'> | undefined): readonly Who[] {
  if (origin === undefined) return [];
  if ('userId' in origin.by) return [origin.by.userId];
  return origin.by.kind === 'operator' ? ['operator'] : [];
}
