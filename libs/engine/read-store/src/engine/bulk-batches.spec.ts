import type { RecordedEvent } from '#event-store';
import { bulkBatches } from './bulk-batches.js';

const MEBIBYTE = 1024 * 1024;
const events = (count: number, data: object): RecordedEvent[] =>
  Array.from({ length: count }, (_, index) => ({ position: index + 1, data }) as RecordedEvent);

/** Sizes of the batches of some events, which come in pages. */
async function sizes(all: readonly RecordedEvent[], eventsMax: number, upTo?: number): Promise<number[]> {
  async function* pages(): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    for (let at = 0; at < all.length; at += 3) yield all.slice(at, at + 3);
  }
  const found: number[] = [];
  for await (const { events: batch, last } of bulkBatches(pages(), eventsMax, upTo)) {
    expect(batch.at(-1)).toBe(last);
    found.push(batch.length);
  }
  return found;
}

test('small events are joined up to a number, and to a position', async () => {
  expect(await sizes(events(11, { text: 'x' }), 5)).toEqual([5, 5, 1]);
  expect(await sizes(events(11, { text: 'x' }), 5, 7)).toEqual([5, 2]);
  expect(await sizes([], 5)).toEqual([]);
});

test.each<[string, object]>([
  ['text', { text: 'x'.repeat(MEBIBYTE) }],
  ['lists', { ids: Array(MEBIBYTE / 8).fill(1) }],
  ['objects', { edit: { content: 'x'.repeat(MEBIBYTE) } }],
])('large events are few in a batch: of %s', async (_, data) => {
  expect(await sizes(events(20, data), 1000)).toEqual([8, 8, 4]);
});
