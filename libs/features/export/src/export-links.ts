import { createHmac } from 'node:crypto';
import { isSameSecret } from '#kernel';

/** 192 bits in base64url. */
const TOKEN_LENGTH = 32;
/** A server has one organization. */
const REALM_ID = 1;

/**
 * Addresses of archives. They cannot be guessed, are derived from the server's secret, so the log does not hold them, and
 * work without further credentials in a browser, as long as the export is not deleted.
 */
export class ExportLinks {
  constructor(private readonly secret: string) {}

  /** Relative to the server. */
  pathOf(exportId: number): string {
    return `/exports/${REALM_ID}/${exportId}/${this.#tokenOf(exportId)}/scrollback-export-${exportId}.zip`;
  }

  /** Compares in constant time. */
  matches(exportId: number, token: string): boolean {
    return isSameSecret(token, this.#tokenOf(exportId));
  }

  #tokenOf(exportId: number): string {
    return createHmac('sha512', this.secret).update(`export:${exportId}`).digest('base64url').slice(0, TOKEN_LENGTH);
  }
}
