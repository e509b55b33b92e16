import { hash as digest, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
import { KeyValueStore } from '#read-store';

/** Two weeks. */
export const SESSION_SECONDS = 14 * 86_400;
/** A user's browsers; with more, the session that ends first is ended. */
const SESSIONS_OF_USER_MAX = 20;
const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^(\d{1,15})\.[A-Za-z0-9_-]{43}$/;

type Session = {
  /** Seconds since the epoch. */
  readonly endsAt: number;
  /** See `credentialsOf`. */
  readonly credentials: string;
};

/**
 * Sessions of browsers, in the store that the processes share. It holds hashes of their tokens; losing it signs people out. A
 * session ends with the account's password, its API key and its activity.
 */
@Injectable()
export class Sessions {
  constructor(
    private readonly store: KeyValueStore,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  /** @returns the token of a new session */
  async begin(user: User): Promise<string> {
    const begunAt = this.clock.nowSeconds();
    await this.#makeRoom(user.userId, begunAt);
    const token = `${user.userId}.${randomBytes(TOKEN_BYTES).toString('base64url')}`;
    const session: Session = { endsAt: begunAt + SESSION_SECONDS, credentials: credentialsOf(user) };
    await this.store.put(kindOf(user.userId), idOf(token), session);
    return token;
  }

  /** The user whose session it is; undefined when it has ended. */
  async userOf(token: string): Promise<User | undefined> {
    const userId = Number(TOKEN_SHAPE.exec(token)?.[1]);
    const user = this.directory.user(userId);
    if (user === undefined) return undefined;
    const session = (await this.store.get(kindOf(userId), idOf(token))) as Session | undefined;
    return session !== undefined && this.#isOpen(user, session) ? user : undefined;
  }

  async end(token: string): Promise<void> {
    const userId = Number(TOKEN_SHAPE.exec(token)?.[1]);
    if (!Number.isNaN(userId)) await this.store.remove(kindOf(userId), idOf(token));
  }

  #isOpen(user: User, { endsAt, credentials }: Session): boolean {
    if (!this.directory.isUsable(user) || this.directory.isDeactivated) return false;
    if (this.clock.nowSeconds() >= endsAt) return false;
    return credentials === credentialsOf(user);
  }

  async #makeRoom(userId: number, at: number): Promise<void> {
    const known = (await this.store.list(kindOf(userId))).map(({ id, value }) => ({ id, ...(value as Session) }));
    const open = known.filter(({ endsAt }) => endsAt > at).sort((a, b) => a.endsAt - b.endsAt);
    const kept = new Set(open.slice(-(SESSIONS_OF_USER_MAX - 1)).map(({ id }) => id));
    for (const { id } of known) if (!kept.has(id)) await this.store.remove(kindOf(userId), id);
  }
}

function kindOf(userId: number): string {
  return `sessions-${userId}`;
}

/** SHA-256: sufficient for what cannot be guessed. */
function idOf(token: string): string {
  return digest('sha256', token);
}

/** Changes with the password and the API key, and when the account is deactivated. */
function credentialsOf({ passwordHash = '', apiKey, deactivatedAt = 0 }: User): string {
  return digest('sha256', `${passwordHash}|${apiKey?.generation ?? 0}|${deactivatedAt}`);
}
