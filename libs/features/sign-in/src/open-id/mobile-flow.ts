import type { SignedIn } from '../signed-in-keys.js';

/**
 * Address by which a browser hands the API key to the app that has opened it, encrypted by the app's one-time pad (endpoints.md §1).
 * @param otp 32 bytes, hexadecimal
 */
export function handedToApp({ user, apiKey }: SignedIn, otp: string, siteUrl: string): string {
  const pad = Buffer.from(otp, 'hex');
  const encrypted = Buffer.from(apiKey, 'latin1').map((byte, index) => byte ^ (pad[index] ?? 0));
  const query = new URLSearchParams({
    realm: siteUrl,
    email: user.email,
    user_id: String(user.userId),
    otp_encrypted_api_key: Buffer.from(encrypted).toString('hex'),
  });
  return `zulip://login?${query.toString()}`;
}
