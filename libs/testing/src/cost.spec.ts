import { costOf, expectProportional } from './cost.js';

/** Takes time in proportion to `steps`. */
function toil(steps: number): void {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum = (sum * 31 + step) | 0;
  expect(sum).toBe(sum | 0);
}
const STEPS = 1_000_000;

test('what takes longer costs more', () => {
  expect(costOf(() => toil(20 * STEPS), 0)).toBeGreaterThan(2 * costOf(() => toil(STEPS), 0));
});

test('work in proportion to its input passes, quadratic work does not', () => {
  expectProportional((times) => () => toil(times * STEPS));
  expect(() => {
    expectProportional((times) => () => toil(times * times * STEPS));
  }).toThrow(/costs .* → .* → /);
});

test('what is slow from the start is not asked for more', () => {
  const asked = new Set<number>();
  const workFor = (times: number) => (): void => {
    asked.add(times);
    toil(150 * STEPS);
  };
  expect(() => {
    expectProportional(workFor);
  }).toThrow('for the least input');
  expect(asked).toEqual(new Set([1]));
});
