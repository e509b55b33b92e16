import type { RecordedEvent } from '#event-store';
import { DirectBook } from './direct-book.js';

const sent = (position: number, to?: readonly number[]): RecordedEvent =>
  ({
    type: 'message.sent.v1',
    position,
    data: to === undefined ? { channelId: 1 } : { to },
  }) as unknown as RecordedEvent;

function bookOf(...events: readonly RecordedEvent[]): DirectBook {
  const book = new DirectBook();
  for (const event of events) book.on['message.sent.v1'](event as never, { ...event, lastMessageId: 0 });
  return book;
}

test('users have met once a message was sent among them, alone or in a group', () => {
  const book = bookOf(sent(10), sent(11, [1, 2]), sent(12, [2, 3, 4]), sent(13, [5]));
  const met = (one: number, other: number) => [book.haveMet(one, other), book.haveMet(other, one)];
  expect([met(1, 2), met(2, 4), met(3, 4)].flat()).toEqual(Array(6).fill(true));
  expect([met(1, 3), met(5, 5), met(6, 1)].flat()).toEqual(Array(6).fill(false));
});

test('a conversation begins with its first message', () => {
  const book = bookOf(sent(11, [1, 2]), sent(12, [1, 2]), sent(13, [1, 2, 3]));
  expect([book.since([1, 2]), book.since([1, 2, 3]), book.since([2, 3])]).toEqual([11, 13, undefined]);
  expect([book.haveMet(1, 2, 11), book.haveMet(1, 2, 12), book.haveMet(2, 3, 13)]).toEqual([false, true, false]);
});

test('a snapshot restores it', () => {
  const book = bookOf(sent(11, [1, 2]), sent(13, [1, 2, 3]));
  const restored = new DirectBook();
  restored.restore(JSON.parse(JSON.stringify(book.snapshot())));
  expect(restored.snapshot()).toEqual([
    [[1, 2], 11],
    [[1, 2, 3], 13],
  ]);
  expect(restored.haveMet(3, 1)).toBe(true);
});

test("a user's conversations are listed in the order in which they began", () => {
  const book = bookOf(sent(11, [1, 2]), sent(12, [2, 3, 4]), sent(13, [1, 2]), sent(14, [5]));
  expect(book.of(2)).toEqual([
    [[1, 2], 11],
    [[2, 3, 4], 12],
  ]);
  expect([book.of(5), book.of(77)]).toEqual([[], []]);
});
