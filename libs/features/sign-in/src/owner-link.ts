import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel';

/** Time for whoever starts the server to open the link. */
const LINK_SECONDS = 600;
const TOKEN_BYTES = 32;

interface Link {
  readonly digest: Buffer;
  readonly email: string;
  readonly endsAt: number;
}

/**
 * The link by which the owner of a new organization signs in without a password, from the machine where the server was started. It
 * counts once, for ten minutes, and is in the memory of the process that has shown it alone.
 */
@Injectable()
export class OwnerLink {
  #link: Link | undefined;

  constructor(private readonly clock: Clock) {}

  /**
   * Replaces the link before it.
   * @returns the path of the link
   */
  issue(email: string): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#link = { digest: digestOf(token), email, endsAt: this.clock.nowSeconds() + LINK_SECONDS };
    return `/login/owner/${token}`;
  }

  /** The address of the owner's account; undefined for a token that does not count, or does not count any more. */
  redeem(token: string): string | undefined {
    const link = this.#link;
    if (link === undefined || !timingSafeEqual(digestOf(token), link.digest)) return undefined;
    this.#link = undefined;
    return this.clock.nowSeconds() < link.endsAt ? link.email : undefined;
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
