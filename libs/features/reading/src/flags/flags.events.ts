import { Type } from 'typebox';
import { type EventOf, eventType, exactly } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Inclusive ranges of message IDs, ascending and disjoint. */
const Ids = Type.Array(Type.Tuple([Id, Id]));

/** Recorded in the stream of the user's flags. Lists only what changed. */
export const flagsChanged = eventType(
  'flags.changed.v1',
  exactly({
    userId: Id,
    op: Type.Union([Type.Literal('add'), Type.Literal('remove')]),
    flag: Type.Union([Type.Literal('read'), Type.Literal('starred'), Type.Literal('collapsed')]),
    ids: Ids,
    /** Messages that had never been delivered to the user; this event adds them to the user's history. */
    historical: Type.Optional(Ids),
    /** Seconds since the epoch. */
    at: Type.Integer(),
  }),
);

export const readingEventTypes = [flagsChanged] as const;

export type FlagsChanged = EventOf<typeof flagsChanged>;
