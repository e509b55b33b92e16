import { shrunk } from './shrink.js';

const LIMITS = { withinMs: 60_000, attempts: 1 };
const numbers = Array.from({ length: 40 }, (_, index) => index);

test('leaves the items alone without which nothing fails, in their order', async () => {
  const fails = (items: readonly number[]) =>
    Promise.resolve(items.indexOf(31) > items.indexOf(3) && items.includes(3));
  expect(await shrunk(numbers, fails, LIMITS)).toEqual([3, 31]);
});

test('takes out what is needed only for something else that goes', async () => {
  // 7 is needed as long as 8 is there, which is taken out later.
  const fails = (items: readonly number[]) =>
    Promise.resolve(items.includes(20) && (items.includes(7) || !items.includes(8)));
  expect(await shrunk(numbers, fails, LIMITS)).toEqual([20]);
});

test('tries again what fails by chance, as often as it may', async () => {
  let calls = 0;
  const fails = (items: readonly number[]) => Promise.resolve(++calls % 2 === 0 && items.includes(5));
  expect(await shrunk(numbers, fails, { ...LIMITS, attempts: 2 })).toEqual([5]);
});

test('gives the shortest so far when the time is over', async () => {
  expect(await shrunk(numbers, () => Promise.resolve(true), { ...LIMITS, withinMs: 0 })).toEqual(numbers);
});
