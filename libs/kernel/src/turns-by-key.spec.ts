import { setImmediate as nextTurn } from 'node:timers/promises';
import { TurnsByKey } from './turns-by-key.js';

describe('turns by key', () => {
  test('work on one key goes one after another, in the order asked', async () => {
    const turns = new TurnsByKey();
    const told: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      told.push(`${name} begins`);
      await nextTurn();
      told.push(`${name} ends`);
    };
    await Promise.all([turns.run('a', work('first')), turns.run('a', work('second'))]);
    expect(told).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  test('work on another key does not wait', async () => {
    const turns = new TurnsByKey();
    let end = (): void => undefined;
    const long = turns.run('a', () => new Promise<void>((resolve) => (end = resolve)));
    expect(await turns.run('b', () => Promise.resolve('done'))).toBe('done');
    end();
    await long;
  });

  test('a failure is told to whoever asked, and the next goes on', async () => {
    const turns = new TurnsByKey();
    const failing = turns.run('a', () => Promise.reject(new Error('no')));
    const next = turns.run('a', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});
