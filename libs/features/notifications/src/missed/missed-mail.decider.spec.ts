import { specFor } from '#testing';
import type { MissedMailBatched } from './missed.events.js';
import { missedMailDecider } from './missed-mail.decider.js';

const given = specFor(missedMailDecider);
const batch = (...messageIds: number[]) =>
  ({ type: 'batch-missed', userId: 7, dueAt: 120, messageIds, at: 130 }) as const;
const batched = (...messageIds: number[]): MissedMailBatched => ({
  type: 'missed-mail.batched.v1',
  data: {
    userId: 7,
    dueAt: 120,
    messageIds,
    ...(messageIds.length === 0 ? {} : { entails: { mail: true } }),
    at: 130,
  },
});

test('each message is mailed once; one that came late is mailed as well', () => {
  given().when(batch(1, 2)).then(batched(1, 2));
  given(batched(1, 2)).when(batch(1, 2)).then(batched());
  given(batched(1, 2)).when(batch(2, 3)).then(batched(3));
});
