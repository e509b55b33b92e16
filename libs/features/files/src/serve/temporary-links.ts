import { createHmac, hkdfSync } from 'node:crypto';
import { type Clock, isSameSecret } from '#kernel';

/** Long enough to open a file in another program (endpoints.md §2). */
export const LINK_LIFETIME_SECONDS = 60;

const TOKEN = /^([1-9]\d{0,15})-(\d{1,15})-([A-Za-z0-9_-]{43})$/;

/** Links that open one file without credentials for a short time: file and expiry, signed with a key from the server's secret. */
export class TemporaryLinks {
  readonly #key: Uint8Array;

  constructor(
    secret: string,
    private readonly clock: Clock,
  ) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'temporary links to files', 32));
  }

  tokenFor(fileId: number): string {
    const claim = `${fileId}-${this.clock.nowSeconds() + LINK_LIFETIME_SECONDS}`;
    return `${claim}-${this.#sign(claim)}`;
  }

  /** The file that a token opens; undefined when it is no token of this server, or has expired. */
  fileIdOf(token: string): number | undefined {
    const [, fileId, expiresAt, signature = ''] = TOKEN.exec(token) ?? [];
    if (!isSameSecret(signature, this.#sign(`${fileId}-${expiresAt}`))) return undefined;
    return this.clock.nowSeconds() < Number(expiresAt) ? Number(fileId) : undefined;
  }

  #sign(claim: string): string {
    return createHmac('sha256', this.#key).update(claim).digest('base64url');
  }
}
