import { type EventStore, streams } from '#event-store';
import { runsOf, sendsOf } from './sends.js';

describe('runs of messages', () => {
  test('go on over small gaps, and end at large ones', () => {
    expect(runsOf([])).toEqual([]);
    expect(runsOf([4, 5, 9, 25, 42, 1_000])).toEqual([
      [4, 25],
      [42, 42],
      [1_000, 1_000],
    ]);
  });

  test('are bounded', () => {
    const runs = runsOf(Array.from({ length: 150 }, (_, index) => index + 1));
    expect(runs).toEqual([
      [1, 64],
      [65, 128],
      [129, 150],
    ]);
  });
});

test('sends are read in runs, without those that nobody asked for, in as many answers as it takes', async () => {
  const reads: unknown[] = [];
  const readPages: EventStore['readPages'] = (pages) => {
    reads.push(pages);
    const [{ from, limit } = { from: 0, limit: 0 }] = pages;
    return Promise.resolve([Array.from({ length: limit }, (_, index) => ({ revision: from + index }) as never)]);
  };
  const sends = await sendsOf({ readPages }, [3, 5, 90]);
  expect([...sends.keys()]).toEqual([3, 5, 90]);
  expect(sends.get(5)).toEqual({ revision: 4 });
  const stream = streams.messages;
  expect(reads).toEqual([
    [
      { stream, from: 2, limit: 3 },
      { stream, from: 89, limit: 1 },
    ],
    [{ stream, from: 89, limit: 1 }],
  ]);
});
