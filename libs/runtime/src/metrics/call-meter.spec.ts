import { RevisionConflict } from '#event-store';
import { CallMeter } from './call-meter.js';

const sum = (counts: readonly number[] | undefined): number | undefined =>
  counts?.reduce((all, count) => all + count, 0);

test('calls are counted by kind, with failures, and a lost race is none', async () => {
  const { probe, kinds } = new CallMeter();
  const conflict = new RevisionConflict('organization', 1, 2);
  await expect(probe('append', () => Promise.resolve(7))).resolves.toBe(7);
  await expect(probe('append', () => Promise.reject(conflict))).rejects.toBe(conflict);
  await expect(probe('append', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await probe('head', () => Promise.resolve());
  const counted = Array.from(kinds, ([kind, { durations, failures }]) => [kind, sum(durations.counts), failures]);
  expect(counted).toEqual([
    ['append', 3, 1],
    ['head', 1, 0],
  ]);
});
