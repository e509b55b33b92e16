import { badRequest, type Clock } from '#kernel';
import type { JwtKey } from './jwt-key.js';

/** Clocks of the two servers may differ by this much. Each second is one that a leaked token outlives its expiry. */
const CLOCK_SKEW_SECONDS = 10;
/** A token with an e-mail address has some 300 bytes. */
const TOKEN_LENGTH_MAX = 16_384;

/**
 * The e-mail address of a signed token. A token that names an audience, or an organization, must name this one: otherwise it would
 * open every organization that trusts its signer.
 * @param siteUrl where clients reach this organization
 * @throws Refusal BAD_REQUEST
 */
export async function emailInToken(
  token: string,
  { key, algorithms }: JwtKey,
  siteUrl: string,
  clock: Clock,
): Promise<string> {
  if (token.length > TOKEN_LENGTH_MAX) throw badToken();
  const claims = await claimsOf(token, { key, algorithms }, clock);
  const nowSeconds = clock.nowSeconds();
  if (claims.iat !== undefined && claims.iat > nowSeconds + CLOCK_SKEW_SECONDS) throw badToken();
  const { host, hostname, origin } = new URL(siteUrl);
  const names = new Set([origin, `${origin}/`, host, hostname]);
  const audiences = claims.aud === undefined ? undefined : [claims.aud].flat();
  if (audiences !== undefined && !audiences.some((audience) => names.has(audience))) throw badToken();
  if (!isOptional(claims['realm'], (realm) => names.has(realm))) throw badToken();
  // The organization of a server is at its root.
  if (!isOptional(claims['subdomain'], (subdomain) => subdomain === '')) throw badToken();
  const email = claims['email'];
  if (typeof email !== 'string' || email === '') throw badRequest('No email specified in JSON web token claims');
  return email;
}

async function claimsOf(token: string, { key, algorithms }: JwtKey, clock: Clock) {
  const { errors, jwtVerify } = await import('jose');
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [...algorithms],
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate: new Date(clock.nowMs()),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) throw badToken();
    throw error;
  }
}

function isOptional(claim: unknown, accepts: (text: string) => boolean): boolean {
  return claim === undefined || (typeof claim === 'string' && accepts(claim));
}

function badToken() {
  return badRequest('Bad JSON web token');
}
