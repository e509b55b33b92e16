import type { MessageDocument, MessagesReader } from '#messages';
import type { RecentRows } from '#reading';
import { KnownMessages } from './known-messages.js';

const FROM = 100_000;
const doc = (topic: string): MessageDocument => ({
  conversation: 'c:1',
  topicKey: topic,
  topic,
  senderId: 7,
  content: '',
  client: '',
  at: 0,
  bytes: 0,
});
const recent = {
  covers: (id) => id >= FROM,
  get: (id) => (id === FROM + 1 ? undefined : doc('recent')),
} as Partial<RecentRows> as RecentRows;

describe('messages that a digest asks for', () => {
  let read: number[];
  let known: KnownMessages;
  beforeEach(() => {
    read = [];
    const getManyLean: MessagesReader['getManyLean'] = (ids) => {
      read.push(...ids);
      return Promise.resolve(new Map(ids.map((id) => [id, doc('old')])));
    };
    known = new KnownMessages(recent, { getManyLean } as Partial<MessagesReader> as MessagesReader);
  });

  test('are read from the store only where memory does not reach', async () => {
    const found = await known.getMany([1, FROM, FROM + 1, 2]);
    expect([...found].map(([id, { topic }]) => [id, topic])).toEqual([
      [FROM, 'recent'],
      [1, 'old'],
      [2, 'old'],
    ]);
    expect([read, known.isCut]).toEqual([[1, 2], false]);
  });

  test('are read up to a bound, the newest ones, and that it was reached is told', async () => {
    const thousand = (from: number) => Array.from({ length: 1_000 }, (_, index) => from + index);
    for (let page = 0; page < 4; page++) await known.getMany(thousand(page * 1_000));
    await known.getMany(thousand(4_000));
    expect([read.length, known.isCut]).toEqual([5_000, false]);
    await known.getMany([FROM, 5_000]);
    expect([read.length, known.isCut]).toEqual([5_000, true]);
  });
});
