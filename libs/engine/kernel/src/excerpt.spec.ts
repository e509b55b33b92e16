import { excerpt } from './excerpt.js';

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['a😀b', 3, 'a😀'],
  ['ab😀', 3, 'ab'],
  ['', 3, ''],
])('of %j, %i units are %j', (text, lengthMax, expected) => expect(excerpt(text, lengthMax)).toBe(expected));

test('a text as long as an e-mail address is whole', () => expect(excerpt('x'.repeat(254))).toBe('x'.repeat(254)));
