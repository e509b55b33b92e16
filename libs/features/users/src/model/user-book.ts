import { IdSet, type ReadonlyIdSet } from '#kernel';
import type { Handlers } from '#directory';
import type { ProfileDataChanged, ProfileFieldEvent } from './profile-fields/profile-field.events.js';
import type { ProfileValue } from './profile-fields/profile-fields.js';
import type { UserEvent, BotOwnerChanged } from './user.events.js';
import type { Avatar, User } from './user.js';

/** Users of the organization; a part of the directory. Records are replaced, never mutated. */
export class UserBook {
  readonly #users = new Map<number, User>();
  readonly #idsByEmail = new Map<string, number>();
  readonly #idsByApiEmail = new Map<string, number>();
  readonly #hiding = new Map<number, number>();
  readonly #idsByName = new Map<string, number[]>();
  readonly #avatars = new Map<string, Avatar>();
  readonly #waiting = new Set<number>();
  readonly #bots = new Map<number, User>();
  /** Replaced, never changed. */
  #inactive: ReadonlyIdSet = new IdSet();
  #standings = 0;

  /** Fields of profiles change values of users with them. */
  readonly on: Handlers<
    | UserEvent
    | BotOwnerChanged
    | ProfileDataChanged
    | Extract<ProfileFieldEvent, { type: 'profile-field.changed.v1' | 'profile-field.removed.v1' }>
  > = {
    'user.created.v1': ({ data: { at, entails: _, ...data } }) => {
      this.#put({ ...data, isActive: true, avatarVersion: 1, joinedAt: at });
    },
    'user.api-key-issued.v1': ({ data: { userId, at: _, ...apiKey } }) => {
      this.#put({ ...this.#existing(userId), apiKey });
    },
    'user.deactivated.v1': ({ data: { userId, at } }, { position }) => {
      this.#put({ ...this.#existing(userId), isActive: false, deactivatedAt: at, queuesEndedAt: position });
    },
    'user.reactivated.v1': ({ data: { userId } }) => {
      this.#put({ ...this.#existing(userId), isActive: true });
    },
    'user.changed.v1': ({ data: { userId, role, by: _, at: __, entails: ___, ...changes } }) => {
      const before = this.#existing(userId);
      // Any other address ends the wish for one.
      const user = changes.email === undefined ? before : withoutRequest(before);
      this.#put({ ...user, ...changes, role: role?.to ?? user.role });
    },
    'user.avatar-changed.v1': ({ data: { userId, avatar, version } }) => {
      const { avatar: _, ...user } = this.#existing(userId);
      this.#put({ ...user, avatarVersion: version, ...(avatar === null ? undefined : { avatar }) });
    },
    'user.email-change-requested.v1': ({ data: { userId, email, at } }) => {
      this.#put({ ...this.#existing(userId), requestedEmail: email, emailRequestedAt: at });
    },
    'user.email-visibility-changed.v1': ({ data: { userId, visibility, apiEmail } }) => {
      const { emailVisibility: _, apiEmail: __, ...user } = this.#existing(userId);
      const hidden = apiEmail === undefined ? undefined : { emailVisibility: visibility.to, apiEmail };
      this.#put({ ...user, ...hidden });
    },
    'user.waiting-changed.v1': ({ data: { over, begun } }) => {
      for (const userId of over) this.#setWaiting(userId, false);
      for (const userId of begun) this.#setWaiting(userId, true);
    },
    'bot.owner-changed.v1': ({ data: { userId, to } }, { position }) => {
      this.#put({ ...this.#existing(userId), botOwnerId: to, queuesEndedAt: position });
    },
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

  /** Of those who hide their real address, by what stands for it. */
  byApiEmail(address: string): User | undefined {
    const userId = this.#idsByApiEmail.get(address.toLowerCase());
    return userId === undefined ? undefined : this.#users.get(userId);
  }

  /** How many users have chosen each visibility of their addresses, except for everyone. */
  get hidingCounts(): ReadonlyMap<number, number> {
    return this.#hiding;
  }

  byName(fullName: string): readonly User[] {
    return (this.#idsByName.get(fullName) ?? []).map((userId) => this.#existing(userId));
  }

  /** The uploaded picture of this name, when a user has it now. */
  avatarNamed(name: string): Avatar | undefined {
    return this.#avatars.get(name);
  }

  /** By id. */
  all(): IterableIterator<User> {
    return this.#users.values();
  }

  /** By id, including the server's own bots and deactivated ones. */
  bots(): IterableIterator<User> {
    return this.#bots.values();
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

  /** Deactivated users; another set after each change. */
  get inactiveIds(): ReadonlyIdSet {
    return this.#inactive;
  }

  get nextId(): number {
    return this.#users.size + 1;
  }

  snapshot(): readonly User[] {
    return [...this.#users.values()];
  }

  /** Fills an empty book. */
  restore(users: readonly User[] = []): void {
    for (const user of users) this.#put(user);
  }

  #put(user: User): void {
    const before = this.#users.get(user.userId);
    this.#users.set(user.userId, user);
    if (user.botType !== null) this.#bots.set(user.userId, user);
    if (before?.isActive !== user.isActive || before.role !== user.role || before.isWaiting !== user.isWaiting)
      this.#standings++;
    if ((before?.isActive ?? true) !== user.isActive)
      this.#inactive = user.isActive ? this.#inactive.without([user.userId]) : this.#inactive.with([user.userId]);
    if (before?.avatar !== undefined) this.#avatars.delete(before.avatar.name);
    if (user.avatar !== undefined) this.#avatars.set(user.avatar.name, user.avatar);
    if (user.isWaiting === true) this.#waiting.add(user.userId);
    else this.#waiting.delete(user.userId);
    if (before !== undefined && before.email !== user.email) this.#idsByEmail.delete(before.email.toLowerCase());
    this.#idsByEmail.set(user.email.toLowerCase(), user.userId);
    this.#putHidden(before, user);
    if (before?.fullName === user.fullName) return;
    if (before !== undefined) this.#forgetName(before);
    const namesakes = this.#idsByName.get(user.fullName);
    if (namesakes === undefined) this.#idsByName.set(user.fullName, [user.userId]);
    else namesakes.push(user.userId);
  }

  #putHidden(before: User | undefined, user: User): void {
    if (before?.apiEmail === user.apiEmail && before?.emailVisibility === user.emailVisibility) return;
    if (before?.apiEmail !== undefined) this.#idsByApiEmail.delete(before.apiEmail.toLowerCase());
    if (user.apiEmail !== undefined) this.#idsByApiEmail.set(user.apiEmail.toLowerCase(), user.userId);
    for (const [one, change] of [[before, -1] as const, [user, 1] as const]) {
      const { emailVisibility } = one ?? {};
      if (emailVisibility !== undefined)
        this.#hiding.set(emailVisibility, (this.#hiding.get(emailVisibility) ?? 0) + change);
    }
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

function withoutRequest({ requestedEmail: _, emailRequestedAt: __, ...user }: User): User {
  return user;
}
