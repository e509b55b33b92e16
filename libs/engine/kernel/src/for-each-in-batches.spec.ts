import { setImmediate as nextTurn } from 'node:timers/promises';
import { forEachInBatches } from './for-each-in-batches.js';

test('all items have their turn, and never more than so many at the same time', async () => {
  const done: number[] = [];
  let [running, most] = [0, 0];
  await forEachInBatches(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
    most = Math.max(most, ++running);
    await nextTurn();
    running--;
    done.push(item);
  });
  expect(done).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

test('what follows one that fails is not begun', async () => {
  const begun: number[] = [];
  const failing = forEachInBatches(2, [1, 2, 3], (item) => {
    begun.push(item);
    return item === 1 ? Promise.reject(new Error('It failed.')) : Promise.resolve();
  });
  await expect(failing).rejects.toThrow('It failed.');
  expect(begun).toEqual([1, 2]);
});

test.each(['rejects', 'throws'])(
  'what was begun beside one that %s has ended when the failure is told',
  async (how) => {
    const ended: number[] = [];
    const failing = forEachInBatches(3, [1, 2, 3], (item) => {
      if (item === 2 && how === 'throws') throw new Error('It failed.');
      if (item === 2) return Promise.reject(new Error('It failed.'));
      return nextTurn().then(() => ended.push(item));
    });
    await expect(failing).rejects.toThrow('It failed.');
    expect(ended).toEqual([1, 3]);
  },
);
