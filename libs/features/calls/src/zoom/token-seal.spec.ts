import { TokenSeal } from './token-seal.js';

const seal = new TokenSeal('the secret of a server');
const tokens = { accessToken: 'an access token', refreshToken: 'a refresh token', expiresAt: 1000 };

test('tokens open for their user, on a server with the same secret', () => {
  const sealed = seal.seal(7, tokens);
  expect(Buffer.from(sealed, 'base64url').includes('token')).toBe(false);
  expect(new TokenSeal('the secret of a server').open(7, sealed)).toEqual(tokens);
  expect(seal.seal(7, tokens)).not.toBe(sealed);
});

test('nothing else opens', () => {
  const sealed = seal.seal(7, tokens);
  expect(seal.open(8, sealed)).toBeUndefined();
  expect(new TokenSeal('another secret').open(7, sealed)).toBeUndefined();
  for (const broken of ['', 'AAAA', sealed.slice(0, -2), `A${sealed}`, '0'.repeat(sealed.length)])
    expect(seal.open(7, broken)).toBeUndefined();
});
