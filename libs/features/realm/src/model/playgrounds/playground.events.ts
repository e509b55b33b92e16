import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Who did it, and when in seconds since the epoch. */
const Done = { by: Id, at: Type.Integer() };

export const playgroundAdded = organizationEvent(
  'playground.added.v1',
  exactly({
    playgroundId: Id,
    name: Type.String(),
    /** Language of the code blocks that it is for. */
    pygmentsLanguage: Type.String(),
    urlTemplate: Type.String(),
    ...Done,
  }),
);

export const playgroundRemoved = organizationEvent('playground.removed.v1', exactly({ playgroundId: Id, ...Done }));

export const playgroundEventTypes = [playgroundAdded, playgroundRemoved] as const;

export type PlaygroundEvent = EventOf<(typeof playgroundEventTypes)[number]>;
