import fc from 'fast-check';
import { SegmentedCache } from './segmented-cache.js';

const keysIn = (cache: SegmentedCache<string, unknown>, keys: readonly string[]): string[] =>
  keys.filter((key) => cache.get(key) !== undefined);

test('entries that are used once do not displace those in use', () => {
  const cache = new SegmentedCache<string, number>({ entriesMax: 10, weightMax: 1_000 });
  for (const key of ['a', 'b', 'c']) cache.set(key, 1, 10);
  expect(keysIn(cache, ['a', 'b'])).toEqual(['a', 'b']);
  for (let number = 0; number < 1_000; number++) cache.set(`once ${number}`, number, 10);
  expect(keysIn(cache, ['a', 'b', 'c', 'once 0', 'once 999'])).toEqual(['a', 'b', 'once 999']);
  expect(cache.size).toBe(10);
});

test('of those in use, the one used longest ago is forgotten first', () => {
  const cache = new SegmentedCache<string, number>({ entriesMax: 5, weightMax: 1_000 });
  const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const key of keys) {
    cache.set(key, 1, 10);
    cache.get(key);
  }
  expect(keysIn(cache, keys)).toEqual(['b', 'c', 'd', 'e', 'f']);
});

test('a heavy entry displaces as many as it weighs, and one that is too heavy none', () => {
  const cache = new SegmentedCache<string, number>({ entriesMax: 100, weightMax: 100 });
  for (let number = 0; number < 10; number++) cache.set(`${number}`, number, 10);
  cache.set('too heavy', 1, 101);
  expect([cache.size, cache.weight]).toEqual([10, 100]);
  cache.set('heavy', 1, 45);
  expect([cache.size, cache.weight]).toEqual([6, 95]);
  // It has grown.
  cache.set('heavy', 1, 101);
  expect(keysIn(cache, ['heavy', '9'])).toEqual(['9']);
});

test('a value is the one set last, and the limits hold', () => {
  const step = fc.record({ key: fc.nat(12), weight: fc.option(fc.nat(60)) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const limits = { entriesMax: 6, weightMax: 50 };
      const cache = new SegmentedCache<number, number>(limits);
      const latest = new Map<number, readonly [value: number, weight: number]>();
      for (const [index, { key, weight }] of steps.entries()) {
        if (weight === null) {
          const found = cache.get(key);
          if (found !== undefined) expect(found).toBe(latest.get(key)?.[0]);
        } else {
          latest.set(key, [index, weight]);
          cache.set(key, index, weight);
        }
        expect(cache.size).toBeLessThanOrEqual(limits.entriesMax);
        expect(cache.weight).toBeLessThanOrEqual(limits.weightMax);
      }
      let weight = 0;
      for (const [key, [value, heavy]] of latest)
        if (cache.get(key) !== undefined) {
          expect(cache.get(key)).toBe(value);
          weight += heavy;
        }
      expect(cache.weight).toBe(weight);
    }),
  );
});
