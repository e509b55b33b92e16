import { ReadStoreUnavailable } from '../read-store.js';
import { RetryPolicy } from './retry-policy.js';

test('works of many projections wait together for a store that is away, and Node warns of none of their listeners', async () => {
  const warnings: string[] = [];
  const hear = ({ message }: Error): unknown => warnings.push(message);
  process.on('warning', hear);
  const stalled = jest.fn();
  const policy = new RetryPolicy(() => Infinity, new AbortController().signal, stalled);
  let isAway = true;
  const work = async (): Promise<string> => {
    if (isAway) throw new ReadStoreUnavailable('Away.');
    return 'done';
  };
  const all = Promise.all(Array.from({ length: 20 }, () => policy.persistently(work)));
  // Warnings come a turn later.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  isAway = false;
  expect(await all).toEqual(Array.from({ length: 20 }, () => 'done'));
  process.off('warning', hear);
  expect(warnings).toEqual([]);
  expect(stalled).toHaveBeenCalledTimes(1);
});
