import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Tokens of an account at Zoom. */
export interface ZoomTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Expiry of the access token, in seconds since the epoch. */
  readonly expiresAt: number;
}

/** Encrypts tokens with a key derived from the server's secret, so that log, read models and backups do not show them. */
export class TokenSeal {
  readonly #key: Uint8Array;

  constructor(secret: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'tokens of accounts at Zoom', KEY_BYTES));
  }

  /** Text that opens for the same user only. */
  seal(userId: number, tokens: ZoomTokens): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, iv).setAAD(Buffer.from(String(userId)));
    const encrypted = Buffer.concat([cipher.update(JSON.stringify(tokens), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url');
  }

  /** @returns undefined for what was sealed with another secret, or for another user */
  open(userId: number, sealed: string): ZoomTokens | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(String(userId)))
        .setAuthTag(tag);
      const text = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
      return JSON.parse(Buffer.concat(text).toString('utf8')) as ZoomTokens;
    } catch {
      return undefined;
    }
  }
}
