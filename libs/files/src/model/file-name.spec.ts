import fc from 'fast-check';
import { Refusal } from '#kernel';
import { rounds } from '#testing';
import { safeFileName } from './file-name.js';

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
