import { Type } from 'typebox';
import { eventType, exactly, type FactOf } from '#event-store';

/** In the stream of follow-ups: what a fact entails has been carried out. */
export const followUpDone = eventType(
  'follow-up.done.v1',
  exactly({
    /** See `causeKey`. */
    cause: Type.String(),
  }),
);

export const followUpEventTypes = [followUpDone] as const;

export type FollowUpDone = FactOf<typeof followUpDone>;
