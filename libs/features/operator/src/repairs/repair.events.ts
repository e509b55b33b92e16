import { Type } from 'typebox';
import { type EventOf, eventType, exactly } from '#event-store';

const Position = Type.Integer({ minimum: 1 });
const Records = exactly({
  count: Type.Integer({ minimum: 0 }),
  /** Their positions, inclusive and ascending; the first thousand ranges. */
  ranges: Type.Array(Type.Tuple([Position, Position])),
});

/** Damaged records were replaced by those of a backup, while the server was stopped. Recorded by the next start. */
export const logRepaired = eventType(
  'log.repaired.v1',
  exactly({
    /** Records that were taken from the backup. */
    replaced: Records,
    /** Records that the backup did not have whole either. */
    left: Records,
    /** Seconds since the epoch at which it was done. */
    at: Type.Integer(),
  }),
);

export type LogRepaired = EventOf<typeof logRepaired>;
