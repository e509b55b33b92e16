import { leftOverChecks } from './left-over-check.js';

const declared = new Set(['messages', 'topics']);

test('collections of the release, and what is built beside them, are well', () => {
  const sizes = new Map([
    ['messages', 1],
    ['messages~3', 1],
    ['topics~former', 1],
  ]);
  expect(leftOverChecks(sizes, declared)).toEqual([]);
  expect(leftOverChecks(undefined, declared)).toEqual([]);
});

test('those that a former release kept are named, with their size', () => {
  const sizes = new Map([
    ['messages', 1],
    ['notes', 5 * 1024 ** 2],
    ['drafts', 1],
  ]);
  expect(leftOverChecks(sizes, declared)).toEqual([
    {
      name: 'read models',
      state: 'warning',
      text: expect.stringMatching(/^Nothing in this release keeps drafts, notes \(6 MiB\): a former one did\./),
    },
  ]);
});
