import { createHmac, hash as digest, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_LENGTH = 32;
/** Bytes from here on would make some letters more likely than others. */
const FAIR_BYTES_END = 256 - (256 % ALPHABET.length);
const KEY_SHAPE = /^[A-Za-z0-9]{32}$/;

/**
 * API keys: 32 letters and digits derived from the server's secret, the user and a generation number. So a key can be
 * shown again at login, while the log holds only its hash, which reveals nothing: keys have 190 bits.
 */
export class ApiKeys {
  constructor(private readonly secret: string) {}

  keyOf(userId: number, generation: number): string {
    let key = '';
    for (let block = 0; key.length < KEY_LENGTH; block++) {
      const bytes = createHmac('sha512', this.secret).update(`api-key:${userId}:${generation}:${block}`).digest();
      for (const byte of bytes)
        if (byte < FAIR_BYTES_END && key.length < KEY_LENGTH) key += ALPHABET.charAt(byte % ALPHABET.length);
    }
    return key;
  }

  /** SHA-256, hex: sufficient for a key that cannot be guessed, and cheap enough for every request. */
  hashOf(key: string): string {
    return digest('sha256', key);
  }

  hasKeyShape(key: string): boolean {
    return KEY_SHAPE.test(key);
  }

  /** Compares in constant time. */
  matches(key: string, hash: string): boolean {
    return timingSafeEqual(Buffer.from(digest('sha256', key), 'latin1'), Buffer.from(hash, 'latin1'));
  }
}
