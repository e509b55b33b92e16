import { isSameSecret } from './same-secret.js';

test.each([
  ['', '', true],
  ['secret', 'secret', true],
  ['secret', 'secreT', false],
  ['secret', 'secrets', false],
  ['secret', '', false],
  ['é', 'e', false],
  ['ä', 'ä', true],
])('%j and %j: %p', (given, secret, isSame) => {
  expect(isSameSecret(given, secret)).toBe(isSame);
});
