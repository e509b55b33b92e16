import { Durations } from './durations.js';

test('a duration counts up to its bound, which belongs to it, and above all bounds', () => {
  const durations = new Durations([0.001, 0.01]);
  for (const ms of [0, 1, 1.001, 10, 10.001, 5_000]) durations.add(ms);
  expect(durations.counts).toEqual([2, 2, 2]);
  expect(durations.sumSeconds).toBeCloseTo(5.022002, 9);
});
