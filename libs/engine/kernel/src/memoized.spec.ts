import { memoized } from './memoized.js';

test('computes once for each object, also when there is no result', () => {
  let runs = 0;
  const first = memoized(([one]: readonly number[]) => (runs++, one));
  const [few, none] = [[1, 2], []];
  expect([first(few), first(none), first(few), first(none), first([1])]).toEqual([1, undefined, 1, undefined, 1]);
  expect(runs).toBe(3);
});
