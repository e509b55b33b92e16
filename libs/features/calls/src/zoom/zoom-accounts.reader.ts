import type { Collection } from '#read-store';
import type { ZoomAccountDocument } from './zoom-account.projection.js';

/** Users' accounts at Zoom. */
export class ZoomAccountsReader {
  constructor(private readonly accounts: Collection<ZoomAccountDocument>) {}

  /** Encrypted tokens; undefined without an account. */
  async tokensOf(userId: number): Promise<string | undefined> {
    return (await this.accounts.get(userId))?.tokens;
  }
}
