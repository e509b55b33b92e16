import type { EventStore, ReadStreamOptions, RecordedEvent } from '#event-store';
import { type SentData, SentMessages } from './sent-messages.js';

const COUNT = 1_000;

/** Number of events that each read of the log returned. */
let reads: number[];
let contents: string[];
let sent: SentMessages;

const eventOf = (messageId: number) =>
  ({
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
  for (const id of ids) sent.remember(eventOf(id));
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
  sent.remember(eventOf(1));
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
