import type { Clock } from '#kernel';
import { Refusal } from '#kernel';
import { isIPv6 } from 'node:net';
import type { Budget } from './rate-limiter.js';
import { RateLimiter } from './rate-limiter.js';

/** Whether calls are counted (setting `RATE_LIMITS`): off for trusted loads and tests. */
export interface RateLimitSettings {
  readonly rateLimits: boolean;
  readonly clock: Clock;
}

const CALLS_PER_USER = { calls: 200, perMs: 60_000 };
const CALLS_PER_ADDRESS = { calls: 100, perMs: 60_000 };
const PASSWORDS_PER_LOGIN_NAME = { calls: 5, perMs: 1_800_000 };

/** Limits per minute: 200 calls per user, 100 per address without credentials (supplement, rules §1). */
export class CallLimits {
  readonly #users = new RateLimiter<number>(CALLS_PER_USER);
  readonly #addresses = new RateLimiter<string>(CALLS_PER_ADDRESS);

  constructor(private readonly settings: RateLimitSettings) {}

  /** `undefined` when calls are not counted. */
  takeForUser(userId: number): Budget | undefined {
    return this.settings.rateLimits ? this.#users.take(userId, this.settings.clock.nowMs()) : undefined;
  }

  takeForAddress(address: string): Budget | undefined {
    return this.settings.rateLimits ? this.#addresses.take(network(address), this.settings.clock.nowMs()) : undefined;
  }

  /** `RATE_LIMIT_HIT` */
  refusal({ resetAtMs }: Budget): Refusal {
    return limitHit(resetAtMs - this.settings.clock.nowMs());
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

/**
 * Protects passwords against guessing: five attempts per login name in 30 minutes, from any caller. An attempt is
 * counted before the password is checked, so that parallel attempts gain nothing; a successful one resets the count.
 */
export class LoginAttempts {
  readonly #attempts = new RateLimiter<string>(PASSWORDS_PER_LOGIN_NAME);

  constructor(private readonly settings: RateLimitSettings) {}

  /**
   * Must be called before a password is checked.
   * @throws Refusal `RATE_LIMIT_HIT`
   */
  begin(loginName: string): void {
    if (!this.settings.rateLimits) return;
    const { exceeded, resetAtMs } = this.#attempts.take(keyOf(loginName), this.settings.clock.nowMs());
    if (exceeded) throw limitHit(resetAtMs - this.settings.clock.nowMs());
  }

  /** The password was right. */
  succeed(loginName: string): void {
    this.#attempts.forget(keyOf(loginName));
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
