import fc from 'fast-check';
import { idsIn, includesId, rangesOf } from './ranges.js';

const ids = fc.array(fc.integer({ min: 1, max: 200 }));

test('ranges keep exactly the ids, ascending', () => {
  fc.assert(
    fc.property(ids, (some) => expect(idsIn(rangesOf(some))).toEqual([...new Set(some)].sort((a, b) => a - b))),
  );
});

test('neighbours share a run', () => {
  expect(rangesOf([5, 3, 4, 9, 4])).toEqual([
    [3, 5],
    [9, 9],
  ]);
});

test('membership agrees with the list', () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 200 }), (some, id) =>
      expect(includesId(rangesOf(some), id)).toBe(some.includes(id)),
    ),
  );
});
