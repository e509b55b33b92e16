import { hash as digest, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { KeyValueStore } from '#read-store';

/** Two weeks without a request. */
export const SESSION_SECONDS = 14 * 86_400;
/** A session that is used is prolonged at most this often, so that few requests write. */
const PROLONGED_EVERY_SECONDS = 86_400;
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

/** Stored apart from the session: one that is prolonged while it is ended stays ended. */
type Prolonged = { readonly endsAt: number };

export interface OpenSession {
  readonly user: User;
  /** Seconds since the epoch. */
  readonly endsAt: number;
}

/**
 * Sessions of browsers, in the store that the processes share. It holds hashes of their tokens; losing it signs people out. A
 * session ends two weeks after it was last used, and with the account's password, its API key and its activity.
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

  /** The session with this token; undefined when it has ended. */
  async find(token: string): Promise<OpenSession | undefined> {
    const userId = Number(TOKEN_SHAPE.exec(token)?.[1]);
    const user = this.directory.user(userId);
    if (user === undefined) return undefined;
    const id = idOf(token);
    const session = (await this.store.get(kindOf(userId), id)) as Session | undefined;
    if (session === undefined || !this.#belongsTo(user, session)) return undefined;
    const endsAt = await this.#endOf(userId, id, session);
    return this.clock.nowSeconds() < endsAt ? { user, endsAt } : undefined;
  }

  /** As `find`, for a request: prolongs the session now and then. @returns `isProlonged` when the browser has to know */
  async use(token: string): Promise<(OpenSession & { readonly isProlonged: boolean }) | undefined> {
    const session = await this.find(token);
    if (session === undefined) return undefined;
    const endsAt = this.clock.nowSeconds() + SESSION_SECONDS;
    if (endsAt - session.endsAt < PROLONGED_EVERY_SECONDS) return { ...session, isProlonged: false };
    const prolonged: Prolonged = { endsAt };
    await this.store.put(prolongedKindOf(session.user.userId), idOf(token), prolonged);
    return { ...session, endsAt, isProlonged: true };
  }

  async end(token: string): Promise<void> {
    const userId = Number(TOKEN_SHAPE.exec(token)?.[1]);
    if (!Number.isNaN(userId)) await this.#remove(userId, idOf(token));
  }

  #belongsTo(user: User, { credentials }: Session): boolean {
    if (!this.directory.isUsable(user) || this.directory.isDeactivated) return false;
    return credentials === credentialsOf(user);
  }

  async #endOf(userId: number, id: string, { endsAt }: Session): Promise<number> {
    // A session of less than a day cannot have been prolonged.
    if (this.clock.nowSeconds() + SESSION_SECONDS - endsAt < PROLONGED_EVERY_SECONDS) return endsAt;
    const prolonged = (await this.store.get(prolongedKindOf(userId), id)) as Prolonged | undefined;
    return Math.max(endsAt, prolonged?.endsAt ?? 0);
  }

  async #remove(userId: number, id: string): Promise<void> {
    await this.store.remove(kindOf(userId), id);
    await this.store.remove(prolongedKindOf(userId), id);
  }

  async #makeRoom(userId: number, at: number): Promise<void> {
    const sessions = await this.store.list(kindOf(userId));
    const prolonged = await this.store.list(prolongedKindOf(userId));
    const latest = new Map(prolonged.map(({ id, value }) => [id, (value as Prolonged).endsAt]));
    const known = sessions.map(({ id, value }) => {
      return { id, endsAt: Math.max((value as Session).endsAt, latest.get(id) ?? 0) };
    });
    const open = known.filter(({ endsAt }) => endsAt > at).sort((a, b) => a.endsAt - b.endsAt);
    const kept = new Set(open.slice(-(SESSIONS_OF_USER_MAX - 1)).map(({ id }) => id));
    // A session that was prolonged while it was ended has left its prolongation.
    const ids = new Set([...sessions, ...prolonged].map(({ id }) => id));
    for (const id of ids) if (!kept.has(id)) await this.#remove(userId, id);
  }
}

function kindOf(userId: number): string {
  return `sessions-${userId}`;
}

function prolongedKindOf(userId: number): string {
  return `sessions-prolonged-${userId}`;
}

/** SHA-256: sufficient for what cannot be guessed. */
function idOf(token: string): string {
  return digest('sha256', token);
}

/** Changes with the password and the API key, and when the account is deactivated. */
function credentialsOf({ passwordHash = '', apiKey, deactivatedAt = 0 }: User): string {
  return digest('sha256', `${passwordHash}|${apiKey?.generation ?? 0}|${deactivatedAt}`);
}
