import { Passwords } from './passwords.js';

const passwords = new Passwords();

test('the right password verifies against an argon2id hash', async () => {
  const stored = await passwords.hash('correct horse');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.verify(stored, 'correct horse')).toBe(true);
  expect(await passwords.verify(stored, 'wrong horse')).toBe(false);
});

test('without an account no password is right', async () => {
  expect(await passwords.verify(undefined, 'nobody has this password')).toBe(false);
});

test.each(['short', 'aaaaaaaa', 'x'.repeat(101)])('%p is refused', (password) => {
  expect(() => passwords.assertAcceptable(password)).toThrow();
});
