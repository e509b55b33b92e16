import { earlierFields } from '#kernel';
import { earlierIn, withEarlier } from './earlier.js';

test('what there was is by the names of what changes, and null where there was nothing', () => {
  expect(earlierFields({ name: 'a', other: 1 }, { name: 'b', text: 'c' })).toEqual({ name: 'a', text: null });
  expect(earlierFields(undefined, { name: 'b' })).toBeUndefined();
  expect(earlierFields({ name: 'a' }, undefined)).toBeUndefined();
});

test('it is recorded and read back', () => {
  expect(earlierIn({ metadata: withEarlier({ name: 'a', on: false }) ?? {} })).toEqual({ name: 'a', on: false });
  expect(withEarlier(undefined)).toBeUndefined();
  expect(earlierIn({ metadata: {} })).toBeUndefined();
});

test('what is large is recorded by its size and hash', () => {
  const { was } = withEarlier({ small: 'x', large: 'y'.repeat(10_000) }) as { was: object };
  expect(was).toEqual({
    small: 'x',
    large: { bytes: 10_002, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
  });
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 'z'.repeat(1_000)]));
  expect(JSON.stringify(withEarlier(many)).length).toBeLessThan(200);
});
