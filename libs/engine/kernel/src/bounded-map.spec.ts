import { BoundedMap } from './bounded-map.js';

test('the entry used longest ago is forgotten first', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  expect(map.size).toBe(2);
});

test('setting an entry again replaces it and counts as a use', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  expect([map.get('a'), map.get('b')]).toEqual([3, undefined]);
});

test('a map that could hold nothing is refused', () => {
  expect(() => new BoundedMap(0)).toThrow(RangeError);
});
