import { createPublicKey, type KeyObject } from 'node:crypto';

/** What verifies tokens, and the only algorithms for it. */
export interface JwtKey {
  readonly key: Uint8Array | KeyObject;
  readonly algorithms: readonly string[];
}

/** As long as the hash of HS256, the least that RFC 7518 allows. */
const SECRET_LENGTH_MIN = 32;
const RSA_BITS_MIN = 2_048;
const WITH_SECRET = ['HS256', 'HS384', 'HS512'];
const WITH_RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const BY_CURVE: Readonly<Record<string, readonly string[]>> = {
  prime256v1: ['ES256'],
  secp384r1: ['ES384'],
  secp521r1: ['ES512'],
};

/**
 * Reads the key with which tokens are signed: a secret, or a public key in PEM, whose line ends may be written as `\n`. The kind of
 * the key decides which algorithms fit, so no token can have its signature checked in another way.
 * @param algorithms names, separated by commas
 * @throws Error that says what is wrong, without the key
 */
export function jwtKeyOf(text: string, algorithms: string): JwtKey {
  const names = algorithms.split(',').map((name) => name.trim());
  const { key, fitting } = text.includes('-----BEGIN') ? publicKeyOf(text) : secretOf(text);
  const wrong = names.find((name) => !fitting.includes(name));
  if (wrong !== undefined)
    throw new Error(`the algorithm ${wrong} does not fit the key; these do: ${fitting.join(', ')}.`);
  return { key, algorithms: names };
}

interface ReadKey {
  readonly key: JwtKey['key'];
  readonly fitting: readonly string[];
}

function secretOf(text: string): ReadKey {
  const key = new TextEncoder().encode(text);
  if (key.length < SECRET_LENGTH_MIN)
    throw new Error(`a secret needs at least ${SECRET_LENGTH_MIN} characters that nobody can guess.`);
  return { key, fitting: WITH_SECRET };
}

function publicKeyOf(text: string): ReadKey {
  if (text.includes('PRIVATE KEY')) throw new Error('a private key belongs to who signs; set its public key.');
  const key = pemOf(text);
  const { namedCurve = '', modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'rsa':
      if (modulusLength < RSA_BITS_MIN) throw new Error(`an RSA key needs at least ${RSA_BITS_MIN} bits.`);
      return { key, fitting: WITH_RSA };
    case 'ec':
      return { key, fitting: BY_CURVE[namedCurve] ?? [] };
    case 'ed25519':
      return { key, fitting: ['EdDSA'] };
    default:
      throw new Error('it is a key of a kind that signs no tokens.');
  }
}

function pemOf(text: string): KeyObject {
  try {
    return createPublicKey(text.replaceAll('\\n', '\n'));
  } catch {
    throw new Error('it is no public key in PEM.');
  }
}
