import { fenceAround } from './fence-source.js';

test.each([
  ['', undefined, 3],
  ['a `word` and ~~~~', undefined, 3],
  ['```js\nlet a;\n```', undefined, 4],
  ['```` and `````` and ```', undefined, 7],
  ['plain', 4, 4],
  ['```', 4, 4],
  ['````', 4, 5],
])('the fence around %j is longer than what is in it', (text, lengthMin, length) => {
  expect(fenceAround(text, lengthMin)).toBe('`'.repeat(length));
});
