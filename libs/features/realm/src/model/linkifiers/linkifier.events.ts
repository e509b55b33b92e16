import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Who did it, and when in seconds since the epoch. */
const Done = { by: Id, at: Type.Integer() };

/** Pattern and URL template (`Linkifier` of `#markdown`). */
const Definition = { linkifierId: Id, pattern: Type.String(), urlTemplate: Type.String() };

/** The new linkifier is the last one. */
export const linkifierAdded = organizationEvent('linkifier.added.v1', exactly({ ...Definition, ...Done }));

/** The linkifier keeps its place in the order. */
export const linkifierChanged = organizationEvent('linkifier.changed.v1', exactly({ ...Definition, ...Done }));

export const linkifierRemoved = organizationEvent('linkifier.removed.v1', exactly({ linkifierId: Id, ...Done }));

/** All of them, in their new order. */
export const linkifiersReordered = organizationEvent(
  'linkifiers.reordered.v1',
  exactly({ linkifierIds: Type.Array(Id), ...Done }),
);

export const linkifierEventTypes = [linkifierAdded, linkifierChanged, linkifierRemoved, linkifiersReordered] as const;

export type LinkifierEvent = EventOf<(typeof linkifierEventTypes)[number]>;
