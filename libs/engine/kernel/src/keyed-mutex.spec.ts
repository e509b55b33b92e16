import { setImmediate as nextTurn } from 'node:timers/promises';
import { KeyedMutex } from './keyed-mutex.js';

describe('a keyed mutex', () => {
  test('work on one key goes one after another, in the order asked', async () => {
    const mutex = new KeyedMutex();
    const told: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      told.push(`${name} begins`);
      await nextTurn();
      told.push(`${name} ends`);
    };
    await Promise.all([mutex.run('a', work('first')), mutex.run('a', work('second'))]);
    expect(told).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  test('work on another key does not wait', async () => {
    const mutex = new KeyedMutex();
    let end = (): void => undefined;
    const long = mutex.run('a', () => new Promise<void>((resolve) => (end = resolve)));
    expect(await mutex.run('b', () => Promise.resolve('done'))).toBe('done');
    end();
    await long;
  });

  test('a failure reaches its caller, and the next work runs', async () => {
    const mutex = new KeyedMutex();
    const failing = mutex.run('a', () => Promise.reject(new Error('no')));
    const next = mutex.run('a', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});
