import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

/** Recorded in the stream of follow-ups: the follow-up of an event has been carried out. */
export const followUpDone = eventType(
  'follow-up.done.v1',
  exactly({
    /** See `triggerKey`. */
    cause: Type.String(),
  }),
);

/** Recorded in the stream of follow-ups: the operator has given the follow-up of an event up. */
export const followUpDropped = eventType(
  'follow-up.dropped.v1',
  exactly({
    /** See `triggerKey`. */
    cause: Type.String(),
    reason: Type.String(),
    /** Seconds since the epoch. */
    at: Type.Integer(),
  }),
);

export const followUpEventTypes = [followUpDone, followUpDropped] as const;

export type FollowUpDropped = EventOf<typeof followUpDropped>;
export type FollowUpDone = EventOf<typeof followUpDone>;
