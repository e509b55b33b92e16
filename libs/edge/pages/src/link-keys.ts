import { createHmac, timingSafeEqual } from 'node:crypto';

/** Links in mails that people ask for work for a day: they go on at once. */
export const LINK_VALID_SECONDS = 86_400;

const MAC_BYTES = 18;
/** Longer than the key of a link with the longest address. */
const KEY_LENGTH_MAX = 600;

/**
 * Keys of links that are sent by mail or shown to who made them. A key says what it is for, and proves by the server's secret
 * that the server made it. So keys are stored nowhere, and what they say cannot be changed; whether one has been used follows from the
 * state of what it is for. Another secret ends all of them. They are short, since mail programs break long lines.
 */
export class LinkKeys {
  constructor(private readonly secret: string) {}

  /**
   * @param purpose a letter
   * @param text says whom or what the link is for
   */
  keyOf(purpose: string, text: string | number): string {
    const says = Buffer.from(`${purpose}${text}`);
    return Buffer.concat([this.#macOf(says), says]).toString('base64url');
  }

  /** What a key of this purpose says; undefined for any other. */
  read(purpose: string, key: string): string | undefined {
    if (key.length > KEY_LENGTH_MAX) return undefined;
    const bytes = Buffer.from(key, 'base64url');
    const [mac, says] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
    // One key has one spelling.
    if (mac.length !== MAC_BYTES || bytes.toString('base64url') !== key) return undefined;
    if (!timingSafeEqual(mac, this.#macOf(says))) return undefined;
    const text = says.toString();
    return text.startsWith(purpose) ? text.slice(purpose.length) : undefined;
  }

  #macOf(says: Buffer): Buffer {
    return createHmac('sha256', this.secret).update('link-key:').update(says).digest().subarray(0, MAC_BYTES);
  }
}
