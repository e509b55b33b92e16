import { runsOf } from './page-runs.js';

const pagesAt = (...revisions: readonly number[]) => revisions.map((from) => ({ stream: '1.a', from, limit: 1 }));
const rangesOf = (...revisions: readonly number[]) =>
  runsOf(pagesAt(...revisions)).map(({ from, limit, pages }) => [from, limit, pages.length]);

test('runs go on over small gaps, and end at large ones', () => {
  expect(runsOf([])).toEqual([]);
  expect(rangesOf(4, 5, 9, 25, 43, 1_000)).toEqual([
    [4, 22, 4],
    [43, 1, 1],
    [1_000, 1, 1],
  ]);
});

test('runs are bounded', () => {
  expect(rangesOf(...Array.from({ length: 150 }, (_, index) => index))).toEqual([
    [0, 64, 64],
    [64, 64, 64],
    [128, 22, 22],
  ]);
});

test('runs have pages of one stream, which follow one another', () => {
  expect(rangesOf(7, 7, 6)).toHaveLength(3);
  const [first, second] = [
    { stream: '1.a', from: 1, limit: 1 },
    { stream: '1.b', from: 2, limit: 9 },
  ];
  expect(runsOf([first, second])).toEqual([
    { ...first, pages: [first] },
    { ...second, pages: [second] },
  ]);
});
