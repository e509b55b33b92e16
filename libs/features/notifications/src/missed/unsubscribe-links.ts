import { Injectable } from '@nestjs/common';
import { Site } from '#realm/model';
import { LinkKeys } from '#pages';

/** Purpose of the keys; those of invitations have others. */
const PURPOSE = 'u';

/**
 * Links by which people unsubscribe from mail about missed messages without logging in. They say nothing but whose they are,
 * and do not expire: a mail may be found years later.
 */
@Injectable()
export class UnsubscribeLinks {
  constructor(
    private readonly keys: LinkKeys,
    private readonly site: Site,
  ) {}

  urlFor(userId: number): string {
    return `${this.site.url}/accounts/unsubscribe/missed_messages/${this.keys.keyOf(PURPOSE, userId)}`;
  }

  /** The user whose link has this key; undefined for a forged one. */
  userIdOf(key: string): number | undefined {
    const userId = this.keys.read(PURPOSE, key);
    return userId === undefined ? undefined : Number(userId);
  }
}
