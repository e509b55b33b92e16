import type { Handlers } from '../directory/directory-part.js';
import type { BotOwnerChanged } from '../bots/bot.events.js';
import type { ProfileFieldEvent } from '../profile-fields/profile-field.events.js';
import type { ProfileValue } from '../profile-fields/profile-fields.js';
import type { UserEvent } from './user.events.js';
import type { User } from './user.js';

/** Users of the organization; a part of the directory. Records are replaced, never mutated. */
export class UserBook {
  readonly #users = new Map<number, User>();
  readonly #idsByEmail = new Map<string, number>();
  readonly #idsByName = new Map<string, number[]>();
  readonly #waiting = new Set<number>();
  #standings = 0;

  readonly on: Handlers<UserEvent | BotOwnerChanged> = {
    'user.created.v1': ({ data: { at, entails: _, ...data } }) => {
      this.#put({ ...data, isActive: true, avatarVersion: 1, joinedAt: at });
    },
    'user.api-key-issued.v1': ({ data: { userId, generation, hash } }) => {
      this.#put({ ...this.#existing(userId), apiKey: { generation, hash } });
    },
    'user.deactivated.v1': ({ data: { userId } }) => {
      this.#put({ ...this.#existing(userId), isActive: false });
    },
    'user.reactivated.v1': ({ data: { userId } }) => {
      this.#put({ ...this.#existing(userId), isActive: true });
    },
    'user.changed.v1': ({ data: { userId, role, by: _, at: __, ...changes } }) => {
      const user = this.#existing(userId);
      this.#put({ ...user, ...changes, role: role?.to ?? user.role });
    },
    'user.email-change-requested.v1': ({ data: { userId, email } }) => {
      this.#put({ ...this.#existing(userId), requestedEmail: email });
    },
    'user.waiting-changed.v1': ({ data: { over, begun } }) => {
      for (const userId of over) this.#setWaiting(userId, false);
      for (const userId of begun) this.#setWaiting(userId, true);
    },
    'bot.owner-changed.v1': ({ data: { userId, to } }) => {
      this.#put({ ...this.#existing(userId), botOwnerId: to });
    },
  };

  /** Fields of profiles whose values change with them. */
  readonly onProfile: Handlers<
    Extract<
      ProfileFieldEvent,
      { type: 'profile-data.changed.v1' | 'profile-field.changed.v1' | 'profile-field.removed.v1' }
    >
  > = {
    'profile-data.changed.v1': ({ data: { userId, values } }) => {
      const user = this.#existing(userId);
      const profile = { ...user.profile };
      for (const { fieldId, value, rendered } of values) {
        if (value === null) Reflect.deleteProperty(profile, fieldId);
        else profile[fieldId] = { value, ...(rendered === undefined ? undefined : { rendered }) };
      }
      this.#put({ ...user, profile });
    },
    'profile-field.changed.v1': ({ data: { fieldId, cleared = [] } }) => {
      for (const userId of cleared) this.#clear(this.#existing(userId), fieldId);
    },
    'profile-field.removed.v1': ({ data: { fieldId } }) => {
      for (const user of this.#users.values()) this.#clear(user, fieldId);
    },
  };

  get(userId: number): User | undefined {
    return this.#users.get(userId);
  }

  byEmail(email: string): User | undefined {
    const userId = this.#idsByEmail.get(email.toLowerCase());
    return userId === undefined ? undefined : this.#users.get(userId);
  }

  byName(fullName: string): readonly User[] {
    return (this.#idsByName.get(fullName) ?? []).map((userId) => this.#existing(userId));
  }

  /** By id. */
  all(): IterableIterator<User> {
    return this.#users.values();
  }

  systemBot(kind: NonNullable<User['systemBot']>): User {
    for (const user of this.#users.values()) if (user.systemBot === kind) return user;
    throw new Error(`The system bot ${kind} does not exist.`);
  }

  /** IDs of users who are no full members yet as members. */
  get waitingIds(): ReadonlySet<number> {
    return this.#waiting;
  }

  /** A new user waits to become a full member. */
  beginWaiting(userId: number): void {
    this.#setWaiting(userId, true);
  }

  /** Counts changes of who is active, waits and has which role, on which membership of system groups depends. */
  get standings(): number {
    return this.#standings;
  }

  get nextId(): number {
    return this.#users.size + 1;
  }

  snapshot(): readonly User[] {
    return [...this.#users.values()];
  }

  /** Fills an empty book. */
  restore(users: readonly User[]): void {
    for (const user of users) this.#put(user);
  }

  #put(user: User): void {
    const before = this.#users.get(user.userId);
    this.#users.set(user.userId, user);
    if (before?.isActive !== user.isActive || before.role !== user.role || before.isWaiting !== user.isWaiting)
      this.#standings++;
    if (user.isWaiting === true) this.#waiting.add(user.userId);
    else this.#waiting.delete(user.userId);
    if (before !== undefined && before.email !== user.email) this.#idsByEmail.delete(before.email.toLowerCase());
    this.#idsByEmail.set(user.email.toLowerCase(), user.userId);
    if (before?.fullName === user.fullName) return;
    if (before !== undefined) this.#forgetName(before);
    const namesakes = this.#idsByName.get(user.fullName);
    if (namesakes === undefined) this.#idsByName.set(user.fullName, [user.userId]);
    else namesakes.push(user.userId);
  }

  #setWaiting(userId: number, isWaiting: boolean): void {
    const { isWaiting: _, ...user } = this.#existing(userId);
    this.#put(isWaiting ? { ...user, isWaiting } : user);
  }

  #clear(user: User, fieldId: number): void {
    if (user.profile?.[fieldId] === undefined) return;
    const { [fieldId]: _, ...profile } = user.profile as Record<number, ProfileValue>;
    this.#put({ ...user, profile });
  }

  #forgetName({ fullName, userId }: User): void {
    const others = (this.#idsByName.get(fullName) ?? []).filter((id) => id !== userId);
    if (others.length > 0) this.#idsByName.set(fullName, others);
    else this.#idsByName.delete(fullName);
  }

  #existing(userId: number): User {
    const user = this.#users.get(userId);
    if (user === undefined) throw new Error(`There is no user ${userId}.`);
    return user;
  }
}
