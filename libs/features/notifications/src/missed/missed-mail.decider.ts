import type { Decider } from '#kernel';
import type { MissedMailBatched } from './missed.events.js';

export interface BatchMissed {
  readonly type: 'batch-missed';
  readonly userId: number;
  readonly dueAt: number;
  readonly messageIds: readonly number[];
  readonly at: number;
}

/** The messages of a user that were due at one time. Each is mailed once, however many processes look at the same time. */
export const missedMailDecider: Decider<Set<number>, BatchMissed, MissedMailBatched> = {
  initial: () => new Set(),
  decide(batched, { userId, dueAt, messageIds: due, at }) {
    const messageIds = due.filter((id) => !batched.has(id));
    const entails = messageIds.length === 0 ? {} : { entails: { mail: true } as const };
    // Also without messages: the event clears the timer.
    return [{ type: 'missed-mail.batched.v1', data: { userId, dueAt, messageIds, ...entails, at } }];
  },
  evolve(batched, { data }) {
    for (const id of data.messageIds) batched.add(id);
    return batched;
  },
};
