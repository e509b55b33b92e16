import type { Handlers } from '../directory/directory-part.js';
import type { UserEvent } from './user.events.js';
import type { User } from './user.js';

/** Users of the organization; a part of the directory. Records are replaced, never mutated. */
export class UserBook {
  readonly #users = new Map<number, User>();
  readonly #idsByEmail = new Map<string, number>();
  readonly #idsByName = new Map<string, number[]>();
  #standings = 0;

  readonly on: Handlers<UserEvent> = {
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
    'user.changed.v1': ({ data: { userId, fullName, role } }) => {
      const user = this.#existing(userId);
      this.#put({ ...user, fullName: fullName ?? user.fullName, role: role?.to ?? user.role });
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

  /** Counts changes of who is active and in which role, on which membership of system groups depends. */
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
    if (before?.isActive !== user.isActive || before.role !== user.role) this.#standings++;
    this.#idsByEmail.set(user.email.toLowerCase(), user.userId);
    if (before?.fullName === user.fullName) return;
    if (before !== undefined) this.#forgetName(before);
    const namesakes = this.#idsByName.get(user.fullName);
    if (namesakes === undefined) this.#idsByName.set(user.fullName, [user.userId]);
    else namesakes.push(user.userId);
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
