import { setImmediate as nextTurn } from 'node:timers/promises';
import { Semaphore } from './semaphore.js';

test('runs no more than its limit at a time, in the order of the calls', async () => {
  const semaphore = new Semaphore(2);
  const begun: number[] = [];
  let [running, most] = [0, 0];
  const work = (number: number) => async (): Promise<number> => {
    begun.push(number);
    most = Math.max(most, ++running);
    await nextTurn();
    running--;
    return number;
  };
  expect(await Promise.all([1, 2, 3, 4, 5].map((number) => semaphore.run(work(number))))).toEqual([1, 2, 3, 4, 5]);
  expect([begun, most]).toEqual([[1, 2, 3, 4, 5], 2]);
});

test('a failure gives its place to the next', async () => {
  const semaphore = new Semaphore(1);
  const failing = semaphore.run(() => Promise.reject(new Error('no')));
  const next = semaphore.run(() => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
  expect(await semaphore.run(() => Promise.resolve('free again'))).toBe('free again');
});
