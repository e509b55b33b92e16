import { type Decisions, PendingReports } from '#feature';
import { Refusal } from '#kernel';
import type { MessageSender } from '#messages';
import type { Directory } from '#people';
import { ManualClock, OpenGate, sampleUser } from '#testing';
import { DeliverScheduled } from './deliver-scheduled.js';
import type { ScheduledReader } from './scheduled.reader.js';

const ANN = sampleUser(4);
const data = { userId: ANN.userId, scheduledId: 1, at: 10, entails: 'delivery' } as const;
const cause = { type: 'scheduled-message.due.v1', key: '1.plans-4@1', stream: '1.plans-4', revision: 1, data };

test.each([
  [true, 'finished'],
  [false, 'SERVER_NOT_READY'],
])('a topic that may not be begun fails a message only by whole read models (%p)', async (isWhole, outcome) => {
  const [gate, clock] = [new OpenGate(), new ManualClock()];
  const done: string[] = [];
  const directory = { user: () => ANN, isUsable: () => true } as unknown as Directory;
  const deliverAt = clock.nowSeconds();
  const doc = { phase: 'due', deliverAt, place: { kind: 'channel', channelId: 1, topic: 'lunch' }, content: 'hello' };
  const reader = { get: async () => doc } as unknown as ScheduledReader;
  const sender = {
    sendOnce: async () => {
      // The topic is asked for meanwhile.
      gate.isWhole = isWhole;
      throw new Refusal('BAD_REQUEST', 'You may not begin topics.');
    },
    wasSent: async () => false,
  } as unknown as MessageSender;
  const decisions = { carryThrough: async () => done.push('finished') } as unknown as Decisions;
  const delivery = new DeliverScheduled(
    directory,
    reader,
    sender,
    decisions,
    clock,
    new PendingReports(() => undefined),
  );
  await delivery
    .carryOut(cause as never, await gate.enter())
    .catch((error: unknown) => done.push((error as Refusal).code));
  expect(done).toEqual([outcome]);
});
