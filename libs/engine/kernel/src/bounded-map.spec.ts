import { seeded } from '#testing';
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

test('a random story of uses leaves what a list in the order of use has', () => {
  const random = seeded(7);
  const map = new BoundedMap<number, number>(5);
  let listed: (readonly [key: number, value: number])[] = [];
  for (let turn = 0; turn < 300; turn++) {
    const key = Math.floor(random() * 9);
    const known = listed.find(([one]) => one === key)?.[1];
    const others = listed.filter(([one]) => one !== key);
    const act = Math.floor(random() * 5);
    if (act === 0) {
      map.delete(key);
      listed = others;
    } else if (act < 3) {
      map.set(key, turn);
      listed = [...others, [key, turn] as const].slice(-5);
    } else {
      expect([turn, map.get(key)]).toEqual([turn, known]);
      if (known !== undefined) listed = [...others, [key, known]];
    }
    expect([turn, map.size]).toEqual([turn, listed.length]);
  }
  expect(listed.map(([key]) => map.get(key))).toEqual(listed.map(([, value]) => value));
});

test('a map that could hold nothing is refused', () => {
  expect(() => new BoundedMap(0)).toThrow(RangeError);
});
