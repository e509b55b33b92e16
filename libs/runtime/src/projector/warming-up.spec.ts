import { ReadStoreUnavailable } from '#read-store';
import { until } from '#testing';
import { WarmingUp } from './warming-up.js';

test('one turn at a time', async () => {
  let [turns, end] = [0, (): void => undefined];
  const warming = new WarmingUp(() => {
    turns++;
    return new Promise<void>((resolve) => (end = resolve));
  });
  warming.goOn();
  warming.goOn();
  expect(turns).toBe(1);
  end();
  await until(() => {
    warming.goOn();
    return turns === 2;
  });
  end();
  await warming.end();
  warming.assertGoing();
});

test('the turn in progress is told to end, and is waited for', async () => {
  let hasEnded = false;
  const warming = new WarmingUp(async (signal) => {
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        resolve();
      });
    });
    hasEnded = true;
  });
  warming.goOn();
  await warming.end();
  expect(hasEnded).toBe(true);
});

test('a store that is away ends a turn, and the next one goes on', async () => {
  let turns = 0;
  const warming = new WarmingUp(() => {
    turns++;
    return Promise.reject(new ReadStoreUnavailable('away'));
  });
  await until(() => {
    warming.goOn();
    warming.assertGoing();
    return turns === 2;
  });
  await warming.end();
  warming.assertGoing();
});

test('another failure is thrown at the next look', async () => {
  const warming = new WarmingUp(() => Promise.reject(new Error('unreadable')));
  warming.goOn();
  await warming.end();
  expect(() => {
    warming.assertGoing();
  }).toThrow('unreadable');
});
