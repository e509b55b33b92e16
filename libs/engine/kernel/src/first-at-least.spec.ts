import { firstAtLeast } from './first-at-least.js';

const items = [{ id: 2 }, { id: 4 }, { id: 8 }];

test.each([
  [1, 0],
  [2, 0],
  [3, 1],
  [8, 2],
  [9, 3],
])('the first ID of at least %d is at %d', (least, index) => {
  expect(firstAtLeast(items, least, ({ id }) => id)).toBe(index);
});
