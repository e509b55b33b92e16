import type { Clock } from '#kernel';
import { Refusal } from '#kernel';
import { isIPv6 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../authentication.js';
import type { EdgeReply } from '../exchange.js';
import type { Budget } from './rate-limiter.js';
import { RateLimiter } from './rate-limiter.js';

/** Whether calls are counted (setting `RATE_LIMITS`): off for trusted loads and tests. */
export interface RateLimitSettings {
  readonly rateLimits: boolean;
  readonly clock: Clock;
}

const CALLS_PER_USER = { calls: 200, perMs: 60_000 };
const CALLS_PER_ADDRESS = { calls: 100, perMs: 60_000 };
/** A class of newcomers behind one address gets its mail; a flood of mail to strangers does not begin. */
const MAILS_PER_ADDRESS = { calls: 30, perMs: 1_800_000 };
const PASSWORDS_PER_LOGIN_NAME = { calls: 5, perMs: 1_800_000 };
/** An office behind one address does not mistype as many; trying one password with each account of an organization does not get far. */
const PASSWORDS_PER_ADDRESS = { calls: 100, perMs: 1_800_000 };

/**
 * Limits per minute: 200 calls per user, 100 per address without credentials (rules.md §1). Calls of bots count for their owner
 * as well (rules §14), who would have as many more with each bot.
 */
export class CallLimits {
  readonly #users = new RateLimiter<number>(CALLS_PER_USER);
  readonly #addresses = new RateLimiter<string>(CALLS_PER_ADDRESS);

  constructor(private readonly settings: RateLimitSettings) {}

  /** @returns the budget with less left, of a bot's own and its owner's; undefined when calls are not counted */
  takeForUser({ userId, botOwnerId }: Caller): Budget | undefined {
    if (!this.settings.rateLimits) return undefined;
    const nowMs = this.settings.clock.nowMs();
    const own = this.#users.take(userId, nowMs);
    if (botOwnerId === undefined || botOwnerId === null || own.exceeded) return own;
    const owners = this.#users.take(botOwnerId, nowMs);
    // Calls that are refused are not counted.
    if (owners.exceeded) this.#users.giveBack(userId);
    return owners.exceeded || owners.remaining < own.remaining ? owners : own;
  }

  takeForAddress(address: string): Budget | undefined {
    return this.settings.rateLimits ? this.#addresses.take(network(address), this.settings.clock.nowMs()) : undefined;
  }

  /**
   * Tells the budget in headers.
   * @returns `RATE_LIMIT_HIT` when it is used up
   */
  spend(reply: EdgeReply, budget: Budget | undefined): Refusal | undefined {
    if (budget === undefined) return undefined;
    reply.header('x-ratelimit-limit', budget.limit);
    reply.header('x-ratelimit-remaining', budget.remaining);
    reply.header('x-ratelimit-reset', Math.ceil(budget.resetAtMs / 1000));
    return budget.exceeded ? limitHit(budget.resetAtMs - this.settings.clock.nowMs()) : undefined;
  }
}

/** Twice what a client asks for that pauses 100 ms between polls. */
const POLLS_PER_QUEUE = { calls: 20, perMs: 1_000 };
const QUEUE_ID_LENGTH_MAX = 64;

/**
 * Limits of long polls, which are no calls (rules.md §1): each event that a client is told ends one. A queue has 20 polls a second;
 * the next one waits for the next second, so that its answer has more events. Polls beside one that waits count as calls.
 */
export class PollLimits {
  readonly #polls = new RateLimiter<string>(POLLS_PER_QUEUE);
  readonly #waiting = new Set<string>();

  constructor(
    private readonly settings: RateLimitSettings,
    private readonly calls: CallLimits,
  ) {}

  /**
   * @returns what resolves when the poll may begin; undefined when it may at once
   * @throws Refusal `RATE_LIMIT_HIT`
   */
  pace(queueId: string, caller: Caller, reply: EdgeReply): Promise<void> | undefined {
    if (!this.settings.rateLimits) return undefined;
    const key = `${caller.userId}/${queueId.slice(0, QUEUE_ID_LENGTH_MAX)}`;
    if (this.#waiting.has(key)) {
      this.count(caller, reply);
      return undefined;
    }
    const nowMs = this.settings.clock.nowMs();
    const { exceeded, resetAtMs } = this.#polls.take(key, nowMs);
    if (!exceeded) return undefined;
    this.#waiting.add(key);
    return pause(resetAtMs - nowMs).then(() => {
      this.#waiting.delete(key);
    });
  }

  /** Counts a poll as a call. @throws Refusal `RATE_LIMIT_HIT` */
  count(caller: Caller, reply: EdgeReply): void {
    const refusal = this.calls.spend(reply, this.calls.takeForUser(caller));
    if (refusal !== undefined) throw refusal;
  }
}

/** A household or server has a whole /64 of IPv6, so that counts as one address. */
export function network(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address;
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7);
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) while (groups.length < 4) groups.push('0');
  return groups.slice(0, 4).join(':');
}

/** Origin of an attempt to log in with a password. */
export interface LoginAttempt {
  /** Login name of the account, in upper or lower case. */
  readonly loginName: string;
  /** Network address of the caller. */
  readonly address: string;
}

/**
 * Protects passwords against guessing, wherever one is asked for: five wrong ones per login name in 30 minutes, from any caller, and
 * 100 per address, for any name. An attempt is counted before the password is checked, so that parallel attempts gain nothing.
 */
export class LoginAttempts {
  readonly #names = new RateLimiter<string>(PASSWORDS_PER_LOGIN_NAME);
  readonly #addresses = new RateLimiter<string>(PASSWORDS_PER_ADDRESS);

  constructor(private readonly settings: RateLimitSettings) {}

  /**
   * Checks a password, unless there were too many wrong ones. A right one resets the count of the login name, but not that of the address:
   * the caller may have an account, and guess the passwords of others.
   * @param check throws unless the password is right
   * @throws Refusal `RATE_LIMIT_HIT`
   */
  async run<T>({ loginName, address }: LoginAttempt, check: () => Promise<T>): Promise<T> {
    if (!this.settings.rateLimits) return check();
    const [name, from] = [keyOf(loginName), network(address)];
    this.#take(this.#addresses, from);
    try {
      this.#take(this.#names, name);
    } catch (error) {
      // No password is checked.
      this.#addresses.giveBack(from);
      throw error;
    }
    const checked = await check();
    this.#names.forget(name);
    this.#addresses.giveBack(from);
    return checked;
  }

  /** Resets the count of a login name whose owner has proved by other means who they are. */
  forget(loginName: string): void {
    this.#names.forget(keyOf(loginName));
  }

  #take(limiter: RateLimiter<string>, key: string): void {
    const nowMs = this.settings.clock.nowMs();
    const { exceeded, resetAtMs } = limiter.take(key, nowMs);
    if (exceeded) throw limitHit(resetAtMs - nowMs);
  }
}

/** Limits how many mails the visitors of pages can have sent to addresses that they name: 30 in 30 minutes from one address. */
export class VisitorMails {
  readonly #mails = new RateLimiter<string>(MAILS_PER_ADDRESS);

  constructor(private readonly settings: RateLimitSettings) {}

  /**
   * Must be called before a mail is sent.
   * @param address of the visitor's network connection
   * @throws Refusal `RATE_LIMIT_HIT`
   */
  take(address: string): void {
    if (!this.settings.rateLimits) return;
    const { exceeded, resetAtMs } = this.#mails.take(network(address), this.settings.clock.nowMs());
    if (exceeded) throw limitHit(resetAtMs - this.settings.clock.nowMs());
  }
}

const LOGIN_NAME_LENGTH_MAX = 320;

function keyOf(loginName: string): string {
  return loginName.slice(0, LOGIN_NAME_LENGTH_MAX).toLowerCase();
}

function limitHit(waitMs: number): Refusal {
  const seconds = Math.max(waitMs, 0) / 1000;
  return new Refusal('RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': seconds });
}
