import { hasContent } from './if-none-match.js';

test.each([
  [undefined, false],
  ['', false],
  ['"a"', true],
  ['"b"', false],
  ['W/"a"', true],
  ['"b", W/"c","a"', true],
  ['"b",\t"c"', false],
  ['*', true],
  [' * ', true],
  ['"*"', false],
  ['a', false],
  ['w/"a"', false],
])('whether %j names "a": %p', (header, expected) => {
  expect(hasContent(header, '"a"')).toBe(expected);
});
