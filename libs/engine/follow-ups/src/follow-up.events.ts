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

export const followUpEventTypes = [followUpDone] as const;

export type FollowUpDone = EventOf<typeof followUpDone>;
