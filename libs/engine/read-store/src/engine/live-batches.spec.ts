import type { RecordedEvent } from '#event-store';
import { liveBatches } from './live-batches.js';

const event = (listed: number): RecordedEvent => ({ data: { name: 'x', ids: Array(listed).fill(1) } }) as RecordedEvent;
const sizes = (events: readonly RecordedEvent[], eventsMax: number): number[][] =>
  [...liveBatches(events, eventsMax)].map((batch) => batch.map(({ data }) => (data as { ids: number[] }).ids.length));

test('events that list little are one batch, up to a number', () => {
  expect(sizes([1, 1, 1].map(event), 10)).toEqual([[1, 1, 1]]);
  expect(sizes([1, 1, 1, 1, 1].map(event), 2)).toEqual([[1, 1], [1, 1], [1]]);
  expect(sizes([], 10)).toEqual([]);
});

test('events that list much are several batches, in order', () => {
  expect(sizes([1_000, 1_000, 1_000, 5].map(event), 10)).toEqual([
    [1_000, 1_000],
    [1_000, 5],
  ]);
  expect(sizes([5, 9_000, 5].map(event), 10)).toEqual([[5], [9_000], [5]]);
});
