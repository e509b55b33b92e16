import type { Handlers } from '#directory';
import type { UserStatusChanged } from './status.events.js';
import { evolveStatus, NO_STATUS, type UserStatus } from './status.js';

interface StatusRecord extends UserStatus {
  readonly userId: number;
}

/** Users' statuses; a part of the directory. */
export class StatusBook {
  readonly #statuses = new Map<number, UserStatus>();

  readonly on: Handlers<UserStatusChanged> = {
    'user-status.changed.v1': (event) => {
      const { userId } = event.data;
      const status = evolveStatus(this.of(userId), event);
      if (status === NO_STATUS) this.#statuses.delete(userId);
      else this.#statuses.set(userId, status);
    },
  };

  of(userId: number): UserStatus {
    return this.#statuses.get(userId) ?? NO_STATUS;
  }

  /** Users who have one. */
  userIds(): IterableIterator<number> {
    return this.#statuses.keys();
  }

  snapshot(): readonly StatusRecord[] {
    return Array.from(this.#statuses, ([userId, status]) => ({ userId, ...status }));
  }

  restore(records: readonly StatusRecord[] = []): void {
    for (const { userId, ...status } of records) this.#statuses.set(userId, status);
  }
}
