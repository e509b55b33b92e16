import { ApiKeys } from './api-keys.js';

const keys = new ApiKeys('a secret of the server');

test('a key is 32 letters and digits, the same each time', () => {
  expect(keys.keyOf(7, 1)).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(keys.keyOf(7, 1)).toBe(keys.keyOf(7, 1));
});

test('another user, generation or secret has another key', () => {
  const all = [keys.keyOf(7, 1), keys.keyOf(8, 1), keys.keyOf(7, 2), new ApiKeys('another').keyOf(7, 1)];
  expect(new Set(all).size).toBe(4);
});

test('only the key itself matches its hash', () => {
  const hash = keys.hashOf(keys.keyOf(7, 1));
  expect(keys.matches(keys.keyOf(7, 1), hash)).toBe(true);
  expect(keys.matches(keys.keyOf(7, 2), hash)).toBe(false);
});
