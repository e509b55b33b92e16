import { Type } from 'typebox';
import { eventType, exactly, type FactOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Who did it, and when in seconds since the epoch. */
const Done = { by: Id, at: Type.Integer() };

/** What a linkifier looks for, and where it leads (`Linkifier` of `#markdown`). */
const Definition = { linkifierId: Id, pattern: Type.String(), urlTemplate: Type.String() };

/** It comes behind those that there are. */
export const linkifierAdded = eventType('linkifier.added.v1', exactly({ ...Definition, ...Done }));

/** It keeps its place among the others. */
export const linkifierChanged = eventType('linkifier.changed.v1', exactly({ ...Definition, ...Done }));

export const linkifierRemoved = eventType('linkifier.removed.v1', exactly({ linkifierId: Id, ...Done }));

/** All of them, in the order that they have from now on. */
export const linkifiersReordered = eventType(
  'linkifiers.reordered.v1',
  exactly({ linkifierIds: Type.Array(Id), ...Done }),
);

export const linkifierEventTypes = [linkifierAdded, linkifierChanged, linkifierRemoved, linkifiersReordered] as const;

export type LinkifierEvent = FactOf<(typeof linkifierEventTypes)[number]>;
