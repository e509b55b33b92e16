import type { CommandRunner } from '#event-store';
import { ManualClock } from '#testing';
import { MissedMessages } from './missed-messages.js';
import type { Missed, missedMessagesDecider, NoteMissed } from './missed-messages.decider.js';

const dueAt = 1_700_000_120;
const missed = (messageId: number, count: number, first = 4): Missed => ({
  messageId,
  users: Array.from({ length: count }, (_, index) => ({ userId: first + index, dueAt })),
});

/** Appended events: their stream, messages, users, and all pairs. */
async function notes(messages: readonly Missed[]) {
  const found: { stream: string; upTo: object; users: number; pairs: number; bytes: number }[] = [];
  const runner = {
    run: (decider: typeof missedMessagesDecider, stream: string, command: NoteMissed) => {
      for (const { data } of decider.decide(decider.initial(), command)) {
        const pairs = data.missed.reduce((sum, { messageIds }) => sum + messageIds.length, 0);
        const users = new Set(data.missed.map(({ userId }) => userId)).size;
        found.push({ stream, upTo: data.upTo, users, pairs, bytes: JSON.stringify(data).length });
      }
      return Promise.resolve();
    },
  } as unknown as CommandRunner;
  await new MissedMessages(runner, new ManualClock()).note(messages);
  return found;
}

const stream = '1.missed-messages-0';

test('messages are noted together, those of each thousand in a stream', async () => {
  expect(await notes([missed(998, 2), missed(999, 1), missed(1_000, 1)])).toMatchObject([
    { stream, upTo: { messageId: 999, part: 0 }, users: 2, pairs: 3 },
    { stream: '1.missed-messages-1', upTo: { messageId: 1_000, part: 0 }, users: 1, pairs: 1 },
  ]);
  expect(await notes([])).toEqual([]);
});

test('one event is about 500 users at most', async () => {
  expect(await notes([missed(7, 300), missed(8, 300, 1_000), missed(9, 1_100)])).toMatchObject([
    { upTo: { messageId: 7, part: 0 }, users: 300 },
    { upTo: { messageId: 8, part: 0 }, users: 300 },
    { upTo: { messageId: 9, part: 0 }, users: 500 },
    { upTo: { messageId: 9, part: 1 }, users: 500 },
    { upTo: { messageId: 9, part: 2 }, users: 100 },
  ]);
});

test('one event is bounded in bytes, however many messages the same users have missed', async () => {
  const events = await notes(Array.from({ length: 60 }, (_, index) => missed(10 + index, 400)));
  expect(events.reduce((sum, { pairs }) => sum + pairs, 0)).toBe(60 * 400);
  expect(events.map(({ pairs }) => pairs)).toEqual([4_800, 4_800, 4_800, 4_800, 4_800]);
  expect(Math.max(...events.map(({ bytes }) => bytes))).toBeLessThan(100_000);
});
