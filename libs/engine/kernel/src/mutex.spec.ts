import { setImmediate as nextTurn } from 'node:timers/promises';
import { Mutex } from './semaphore.js';

describe('a mutex', () => {
  test('runs one piece of work at a time, in the order of the calls', async () => {
    const mutex = new Mutex();
    const told: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      told.push(`${name} begins`);
      await nextTurn();
      told.push(`${name} ends`);
    };
    const calls = ['first', 'second', 'third'].map((name) => mutex.run(work(name)));
    expect(told).toEqual(['first begins']);
    await Promise.all(calls);
    expect(told).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  test('lets the next work run after a failure', async () => {
    const mutex = new Mutex();
    const failing = mutex.run(() => Promise.reject(new Error('no')));
    const next = mutex.run(() => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});
