import { streams } from '#event-store';
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

test('sends are read in runs, without those that nobody asked for', async () => {
  const reads: unknown[] = [];
  const readStream = (stream: string, { from = 0, limit }: { from?: number; limit: number }) => {
    reads.push([stream, from, limit]);
    return Promise.resolve(Array.from({ length: limit }, (_, index) => ({ revision: from + index }) as never));
  };
  const sends = await sendsOf({ readStream }, [3, 5, 90]);
  expect([...sends.keys()]).toEqual([3, 5, 90]);
  expect(sends.get(5)).toEqual({ revision: 4 });
  expect(reads).toEqual([
    [streams.messages, 2, 3],
    [streams.messages, 89, 1],
  ]);
});

test('sends come in the order of their IDs, whichever read ends first', async () => {
  let waits = 3;
  const store = {
    readStream: async (_: string, { from }: { from: number }) => {
      for (let turns = waits--; turns > 0; turns--) await new Promise(setImmediate);
      return [{ revision: from }];
    },
  } as unknown as Parameters<typeof sendsOf>[0];
  expect([...(await sendsOf(store, [1, 100, 200])).keys()]).toEqual([1, 100, 200]);
});
