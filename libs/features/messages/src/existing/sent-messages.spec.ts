import type { EventStore, ReadStreamOptions, RecordedEvent } from '#event-store';
import { type SentData, SentMessages } from './sent-messages.js';

const COUNT = 1_000;

/** Number of events that each read of the log returned. */
let reads: number[];
let contents: string[];
let sent: SentMessages;

const eventOf = (messageId: number) =>
  ({
    type: 'message.sent.v1',
    position: messageId,
    revision: messageId - 1,
    data: { senderId: 5, channelId: 1, topic: 'a', content: contents[messageId - 1], rendered: '<p>', at: 1 },
  }) as unknown as RecordedEvent<SentData>;

beforeEach(() => {
  reads = [];
  sent = new SentMessages({
    readStream: async (_: string, { from = 0, limit }: ReadStreamOptions) => {
      const found = contents.slice(from, from + limit).map((_content, index) => eventOf(from + index + 1));
      reads.push(found.length);
      return found;
    },
  } as unknown as EventStore);
});

function remember(content: string): readonly number[] {
  contents = Array<string>(COUNT).fill(content);
  const ids = contents.map((_, index) => index + 1);
  for (const id of ids) sent.recorded(eventOf(id));
  return ids;
}

test('usual messages are remembered by number', async () => {
  const ids = remember('hello');
  expect((await sent.getMany(ids)).size).toBe(COUNT);
  expect(reads).toEqual([]);
});

test('large messages are remembered up to a size, the newest of them, and the others are read a few at a time', async () => {
  const ids = remember('x'.repeat(100_000));
  await sent.getMany(ids.slice(-70));
  expect(reads).toEqual([]);
  const found = await sent.getMany(ids);
  expect(found.size).toBe(COUNT);
  const read = reads.reduce((sum, count) => sum + count, 0);
  expect(read).toBeGreaterThanOrEqual(COUNT - 80);
  expect(Math.max(...reads)).toBeLessThanOrEqual(16);
});

test('a large message that is the only one is remembered', async () => {
  contents = ['x'.repeat(20_000_000)];
  sent.recorded(eventOf(1));
  expect((await sent.get(1))?.content).toHaveLength(20_000_000);
  expect(reads).toEqual([]);
});

test('without content, places and senders are left', async () => {
  const ids = remember('x'.repeat(100_000));
  const found = await sent.getManyLean(ids);
  expect(found.size).toBe(COUNT);
  for (const data of found.values())
    expect(data).toEqual({ senderId: 5, channelId: 1, topic: 'a', content: '', at: 1 });
});

const changed = (type: string, position: number, data: object) => ({ type, position, data }) as RecordedEvent;

test.each([
  ['messages.moved.v1', { ids: [[2, 3]] }],
  ['messages.deleted.v1', { ids: [[2, 3]] }],
])('messages are as they were sent until %s', (type, data) => {
  remember('hello');
  sent.recorded(changed('message.edited.v1', COUNT + 1, { messageId: 2 }));
  expect([1, 2, 3, COUNT + 1].map((id) => sent.isAsSent(id))).toEqual([true, true, true, false]);
  sent.recorded(changed(type, COUNT + 2, data));
  sent.recorded(changed('message.deleted.v1', COUNT + 3, { messageId: 4 }));
  expect([1, 2, 3, 4, 5].map((id) => sent.isAsSent(id))).toEqual([true, false, false, false, true]);
});

test('a message that is read again is not known to be as it was sent', () => {
  remember('hello');
  sent.recorded(changed('messages.moved.v1', COUNT + 1, { ids: [[7, 7]] }));
  for (const id of [7, 8]) sent.recorded(eventOf(id));
  expect([7, 8, 9].map((id) => sent.isAsSent(id))).toEqual([false, false, true]);
});
