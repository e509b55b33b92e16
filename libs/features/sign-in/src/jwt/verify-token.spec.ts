import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { EncryptJWT, SignJWT, UnsecuredJWT } from 'jose';
import { Refusal } from '#kernel';
import { ManualClock } from '#testing';
import { type JwtKey, jwtKeyOf } from './jwt-key.js';
import { emailInToken } from './verify-token.js';

const SITE = 'https://chat.example.test';
const SECRET = 'a secret of the two systems, long enough';
const clock = new ManualClock();
const now = clock.nowSeconds();
const own = jwtKeyOf(SECRET, 'HS256');
const email = 'ann@example.test';

type Claims = Readonly<Record<string, unknown>>;

const signed = (claims: Claims, secret: string | KeyObject = SECRET, alg = 'HS256'): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg })
    .sign(typeof secret === 'string' ? new TextEncoder().encode(secret) : secret);
const read = (token: string, key: JwtKey = own): Promise<string> => emailInToken(token, key, SITE, clock);

const pem = ({ publicKey }: { publicKey: KeyObject }): string =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');

describe('a token is taken', () => {
  test.each<[string, Claims]>([
    ['with an address alone', {}],
    ['before it expires', { exp: now + 10 }],
    ['a little after it has expired, since clocks differ', { exp: now - 9 }],
    ['a little before it counts', { nbf: now + 10, iat: now + 10 }],
    ['for this organization', { aud: SITE }],
    ['for this host, among others', { aud: ['other.example.test', 'chat.example.test'] }],
    ['that names the realm', { realm: SITE, subdomain: '' }],
  ])('%s', async (_, claims) => {
    await expect(read(await signed({ email, ...claims }))).resolves.toBe(email);
  });

  test.each([
    ['RS256', rsa],
    ['PS512', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ] as const)('signed by %s', async (alg, pair) => {
    const key = jwtKeyOf(pem(pair).replaceAll('\n', '\\n'), alg);
    await expect(read(await signed({ email }, pair.privateKey, alg), key)).resolves.toBe(email);
  });
});

describe('a token is refused', () => {
  const bad = new Refusal('BAD_REQUEST', 'Bad JSON web token');

  test.each<[string, Claims]>([
    ['that has expired', { exp: now - 10 }],
    ['that does not count yet', { nbf: now + 11 }],
    ['from the future', { iat: now + 11 }],
    ['whose expiry is no time', { exp: 'tomorrow' }],
    ['for another audience', { aud: 'https://other.example.test' }],
    ['for no audience', { aud: [] }],
    ['for an audience without a name', { aud: '' }],
    ['for the same host by another scheme', { aud: 'http://chat.example.test' }],
    ['for the same name at another port', { aud: 'https://chat.example.test:8443' }],
    ['for the same name below another domain', { aud: 'chat.example.test.evil.test' }],
    ['whose expiry is text', { exp: String(now + 600) }],
    ['that expired before time began', { exp: -1 }],
    ['for a host below this one', { aud: 'https://other.chat.example.test' }],
    ['of another organization', { realm: 'https://other.example.test' }],
    ['of another organization of the server', { subdomain: 'other' }],
    ['whose subdomain is no text', { subdomain: 0 }],
  ])('%s', async (_, claims) => {
    await expect(read(await signed({ email, ...claims }))).rejects.toThrow(bad);
  });

  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('without a signature', async () => {
    const unsigned = new UnsecuredJWT({ email }).encode();
    await expect(read(unsigned)).rejects.toThrow(bad);
    await expect(read(`${part({ alg: 'NONE' })}.${part({ email })}.`)).rejects.toThrow(bad);
    await expect(read((await signed({ email })).replace(/[^.]+$/, ''))).rejects.toThrow(bad);
  });

  test('signed by another key, or by another algorithm of the same one', async () => {
    await expect(read(await signed({ email }, 'another secret that is long enough'))).rejects.toThrow(bad);
    await expect(read(await signed({ email }, SECRET, 'HS512'))).rejects.toThrow(bad);
  });

  test('whose secret is the text of a public key', async () => {
    const text = pem(rsa);
    const head = `${part({ alg: 'HS256' })}.${part({ email })}`;
    const forged = `${head}.${createHmac('sha256', text).update(head).digest('base64url')}`;
    await expect(read(forged, jwtKeyOf(text, 'RS256'))).rejects.toThrow(bad);
  });

  test('whose signature is all zeros, or of another curve or family', async () => {
    const key = jwtKeyOf(pem(ec), 'ES256');
    const zeros = `${part({ alg: 'ES256' })}.${part({ email })}.${Buffer.alloc(64).toString('base64url')}`;
    await expect(read(zeros, key)).rejects.toThrow(bad);
    await expect(read(await signed({ email }, rsa.privateKey, 'RS256'), key)).rejects.toThrow(bad);
    await expect(read(await signed({ email }, ed.privateKey, 'EdDSA'), key)).rejects.toThrow(bad);
    await expect(read(await signed({ email }, rsa.privateKey, 'PS256'), jwtKeyOf(pem(rsa), 'RS256'))).rejects.toThrow(
      bad,
    );
  });

  test('that is encrypted, not signed', async () => {
    const token = await new EncryptJWT({ email })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(new TextEncoder().encode(SECRET).subarray(0, 32));
    await expect(read(token)).rejects.toThrow(bad);
  });

  test.each(['HS256', 'none', 'None', 'nOnE', 'NONE', 'hs256', '', 7, null, undefined])(
    'whose algorithm is %j, without a signature',
    async (alg) => {
      for (const signature of ['', 'AA', Buffer.alloc(32).toString('base64url')])
        await expect(read(`${part({ alg })}.${part({ email })}.${signature}`)).rejects.toThrow(bad);
    },
  );

  test('whose key is to be fetched, or found, by its header', async () => {
    const foreign = new TextEncoder().encode('a key of the one who made the token');
    for (const header of [
      { kid: '/dev/null' },
      { jku: 'http://127.0.0.1:1/keys' },
      { x5u: 'http://127.0.0.1:1/certificate' },
    ]) {
      const token = await new SignJWT({ email }).setProtectedHeader({ alg: 'HS256', ...header }).sign(foreign);
      await expect(read(token)).rejects.toThrow(bad);
    }
  });

  test('whose claims were changed', async () => {
    const [head, , signature] = (await signed({ email })).split('.');
    await expect(read(`${head}.${part({ email: 'owner@example.test' })}.${signature}`)).rejects.toThrow(bad);
  });

  test('with a critical extension, or a key of its own', async () => {
    const sign = (header: object): Promise<string> =>
      new SignJWT({ email })
        .setProtectedHeader({ alg: 'HS256', ...header })
        .sign(new TextEncoder().encode('a key that comes with the token, long'));
    const jwk = { kty: 'oct', k: Buffer.from('a key that comes with the token, long').toString('base64url') };
    await expect(read(await sign({ jwk }))).rejects.toThrow(bad);
    const head = part({ alg: 'HS256', crit: ['x'], x: 1 });
    const body = `${head}.${part({ email })}`;
    const critical = `${body}.${createHmac('sha256', SECRET).update(body).digest('base64url')}`;
    await expect(read(critical)).rejects.toThrow(bad);
  });

  test.each(['', 'a', 'a.b.c', '..', 'ä.ö.ü', `${'a'.repeat(20_000)}.b.c`])('that is none: %.20s', async (text) => {
    await expect(read(text)).rejects.toThrow(bad);
  });

  test.each<[unknown]>([[undefined], [''], [7], [['ann@example.test']], [null]])(
    'with the address %j',
    async (address) => {
      await expect(read(await signed({ email: address }))).rejects.toThrow('No email specified');
    },
  );
});

describe('a key is refused', () => {
  test.each([
    ['too short', 'guess me', 'HS256', 'at least 32 characters'],
    ['a secret for public keys', SECRET, 'RS256', 'the algorithm RS256 does not fit the key; these do: HS256'],
    ['a public key as a secret', pem(rsa), 'HS256', 'the algorithm HS256 does not fit the key; these do: RS256'],
    ['one algorithm of two', SECRET, 'HS256, none', 'the algorithm none does not fit'],
    ['another curve', pem(ec), 'ES384', 'these do: ES256'],
    ['a private key', rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'RS256', 'private key'],
    ['few bits', pem(generateKeyPairSync('rsa', { modulusLength: 1024 })), 'RS256', 'at least 2048 bits'],
    ['no key', '-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----', 'RS256', 'no public key'],
    ['for encryption', pem(generateKeyPairSync('x25519')), 'EdDSA', 'signs no tokens'],
  ])('%s', (_, key, algorithms, message) => {
    expect(() => jwtKeyOf(key, algorithms)).toThrow(message);
    expect(() => jwtKeyOf(key, algorithms)).not.toThrow(SECRET);
  });
});
