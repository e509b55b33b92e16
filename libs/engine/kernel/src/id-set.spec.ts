import fc from 'fast-check';
import { rounds } from '#testing';
import { IdSet } from './id-set.js';

/** Neighbours and single IDs, near each other and far apart. */
const ids = fc
  .array(fc.tuple(fc.nat(2_000), fc.nat(70)), { maxLength: 4 })
  .map((spans) => [...new Set(spans.flatMap(([from, count]) => Array.from({ length: count }, (_, i) => from + i)))]);
const sorted = (listed: Iterable<number>): number[] => [...listed].sort((a, b) => a - b);

test('is a set of numbers', () => {
  fc.assert(
    fc.property(ids, ids, fc.nat(2_100), (some, others, id) => {
      const [one, other] = [IdSet.of(some), IdSet.of(others)];
      const [, lacked] = [new Set(some), new Set(others)];
      expect([...one]).toEqual(sorted(some));
      expect([one.size, one.isEmpty, one.has(id)]).toEqual([some.length, some.length === 0, some.includes(id)]);
      expect(one.intersects(other)).toBe(some.some((each) => lacked.has(each)));
      expect([...one.minus(other)]).toEqual(sorted(some.filter((each) => !lacked.has(each))));
      expect(one.firstNotIn(other, id)).toBe(sorted(some).find((each) => each >= id && !lacked.has(each)));
      expect([...one.with(others)]).toEqual(sorted(new Set([...some, ...others])));
      expect([...IdSet.unpack(JSON.parse(JSON.stringify(one.pack())) as never)]).toEqual(sorted(some));
      // What was made of it changed nothing.
      expect([...one]).toEqual(sorted(some));
    }),
    { numRuns: rounds(200) },
  );
});

test('changes in place', () => {
  fc.assert(
    fc.property(ids, ids, ids, (some, added, removed) => {
      const set = IdSet.of(some);
      for (const id of added.slice(0, 5)) set.add(id);
      set.addAll(IdSet.of(added.slice(5)));
      for (const id of removed) set.delete(id);
      expect([...set]).toEqual(sorted(new Set([...some, ...added])).filter((id) => !removed.includes(id)));
      expect(set.pack()).toEqual(IdSet.of(set).pack());
    }),
    { numRuns: rounds(100) },
  );
});

test('ten thousand neighbours are short as text, and few that are far apart as well', () => {
  const everybody = IdSet.of(Array.from({ length: 10_000 }, (_, index) => index + 1));
  expect(JSON.stringify(everybody.pack()).length).toBeLessThan(2_000);
  expect(JSON.stringify(IdSet.of([1, 100_000]).pack())).toBe('[1,100000]');
});
