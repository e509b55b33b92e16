import fc from 'fast-check';
import { Refusal } from '#kernel';
import { rounds } from '#testing';
import { fileNamesOf, safeFileName } from './file-name.js';

test.each([
  ['zulip.txt', 'zulip.txt'],
  ['my  holiday photo.png', 'my-holiday-photo.png'],
  ['a - b --- c.txt', 'a-b-c.txt'],
  [' x.txt ', 'x.txt'],
  ['Übung №1.pdf', 'Übung-No1.pdf'],
  ['写真.jpg', '写真.jpg'],
  ['<script>.html', 'script.html'],
  ['a"b\'c\n\r.txt', 'abc-.txt'],
  ['../../etc/passwd', '....etcpasswd'],
  ['..', 'uploaded-file'],
  ['.', 'uploaded-file'],
  ['', 'uploaded-file'],
  ['😀', 'uploaded-file'],
  ['a\u202Egnp.exe', 'agnp.exe'],
])('%j is kept as %j', (given, kept) => {
  expect(safeFileName(given)).toBe(kept);
});

test('names beyond what file systems take are refused', () => {
  expect(safeFileName('x'.repeat(255))).toHaveLength(255);
  expect(() => safeFileName('x'.repeat(256))).toThrow(Refusal);
  expect(() => safeFileName('写'.repeat(86))).toThrow('limit: 255 bytes');
});

test('whatever the name, the result is one part of a path, and stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (given) => {
      const kept = safeFileName(given);
      expect(kept).toMatch(/^[\p{L}\p{N}_.-]+$/u);
      expect(kept).not.toMatch(/^\.+$/);
      expect(safeFileName(kept)).toBe(kept);
    }),
    { numRuns: rounds(300) },
  );
});

test.each([
  ['zulip.txt', { name: 'zulip.txt' }],
  ['foo bar--baz', { name: 'foo-bar-baz', title: 'foo bar--baz' }],
  ['a%22b%0D%0A.txt', { name: 'ab-.txt', title: 'a"b.txt' }],
  ['%D0%97%D0%B4 1.txt', { name: 'Зд-1.txt', title: 'Зд 1.txt' }],
  ['100%.txt', { name: '100.txt', title: '100%.txt' }],
  ['%FF%zz', { name: 'FFzz', title: '%FF%zz' }],
  ['..%2F..%5Cetc%2Fpasswd', { name: 'passwd' }],
  ['%2e%2e', { name: 'uploaded-file' }],
  ['😀', { name: 'uploaded-file', title: '😀' }],
  ['a\u202Egnp.exe', { name: 'agnp.exe' }],
  ['a\ud800\u0000.txt', { name: 'a.txt' }],
  ['', { name: 'uploaded-file' }],
])('%j has the names %j', (given, names) => {
  expect(fileNamesOf(given)).toEqual(names);
});

test('names that people see are as long as those in addresses', () => {
  expect(fileNamesOf('😀'.repeat(63)).title).toHaveLength(126);
  expect(() => fileNamesOf('😀'.repeat(64))).toThrow('limit: 255 bytes');
});
