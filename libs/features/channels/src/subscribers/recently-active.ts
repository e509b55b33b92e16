import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { preferencesPart } from '#preferences/model';
import { Presences } from '#presence';

/** Period whose active users a partial list of subscribers contains (endpoints.md §15, `include_subscribers`). */
const ACTIVE_WITHIN_SECONDS = 14 * 24 * 60 * 60;

/** Users that a partial list of subscribers contains: all bots, and all users who were active recently. */
@Injectable()
export class RecentlyActive {
  constructor(
    private readonly directory: Directory,
    private readonly presences: Presences,
    private readonly clock: Clock,
  ) {}

  /** A check for many lists of one answer: it looks at each user once. */
  checkFor(viewer: User): (userId: number) => boolean {
    const sinceSeconds = this.clock.nowSeconds() - ACTIVE_WITHIN_SECONDS;
    const known = new Map([[viewer.userId, true]]);
    return (userId) => {
      let isActive = known.get(userId);
      if (isActive === undefined) known.set(userId, (isActive = this.#isActive(userId, sinceSeconds)));
      return isActive;
    };
  }

  #isActive(userId: number, sinceSeconds: number): boolean {
    const user = this.directory.user(userId);
    if (user === undefined) return false;
    if (user.botType !== null) return true;
    if (user.joinedAt >= sinceSeconds) return true;
    // Whether they are active is not known.
    if (!this.directory.of(preferencesPart).setting(userId, 'presence_enabled')) return true;
    const presence = this.presences.of(user);
    return presence !== undefined && presence.connectedAt >= sinceSeconds;
  }
}
