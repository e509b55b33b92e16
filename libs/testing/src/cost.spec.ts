import { costOf, costsBy } from './cost.js';

/** Costs of work that says itself how long it takes, so that nothing else on the machine counts; the calculation takes 1. */
let took = 0;
const { costOf: exactCostOf, expectProportional } = costsBy((work) => {
  took = 1;
  work();
  return took;
});
const taking = (time: number) => (): void => {
  took = time;
};

test('what takes longer costs more', () => {
  function toil(steps: number): void {
    let sum = 0;
    for (let step = 0; step < steps; step++) sum = (sum * 31 + step) | 0;
    expect(sum).toBe(sum | 0);
  }
  expect(costOf(() => toil(20_000_000), 0)).toBeGreaterThan(costOf(() => toil(1_000_000), 0));
});

test('a cost is a multiple of the calculation', () => {
  expect(exactCostOf(taking(7), 0)).toBe(7);
});

test('the shortest of some runs counts', () => {
  const times = [30, 12, 20];
  expect(exactCostOf(() => taking(times.shift() ?? 0)(), 5)).toBe(12);
});

test('work in proportion to its input passes, quadratic work does not', () => {
  expectProportional((times) => taking(20 * times));
  expect(() => {
    expectProportional((times) => taking(20 * times * times));
  }).toThrow('It costs 20.0 → 80.0 → 320.0, ');
});

test('work that costs little is not measured again, for any growth', () => {
  expectProportional((times) => taking(times === 4 ? 4.9 : 0.001));
});

test('what is slow from the start is not asked for more', () => {
  const asked = new Set<number>();
  const workFor = (times: number) => (): void => {
    asked.add(times);
    taking(150)();
  };
  expect(() => {
    expectProportional(workFor);
  }).toThrow('for the least input');
  expect(asked).toEqual(new Set([1]));
});
