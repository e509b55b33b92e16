import { rangeOf } from './byte-range.js';

test.each([
  [undefined, 'whole'],
  ['bytes=0-3', { start: 0, end: 3 }],
  ['bytes=2-2', { start: 2, end: 2 }],
  ['bytes=4-', { start: 4, end: 9 }],
  ['bytes=4-99', { start: 4, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-12', 'unsatisfiable'],
  ['bytes=3-2', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=0-1,4-5', 'whole'],
  ['lines=0-1', 'whole'],
  ['bytes=x-1', 'whole'],
])('of 10 bytes, %j asks for %j', (header, range) => {
  expect(rangeOf(header, 10)).toEqual(range);
});

test('an empty file has no parts', () => {
  expect(rangeOf('bytes=0-0', 0)).toBe('unsatisfiable');
  expect(rangeOf('bytes=-1', 0)).toBe('unsatisfiable');
});
