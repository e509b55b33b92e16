import { AppendTooLarge, DamagedRecord, EventStoreUnavailable, RevisionConflict } from '../event-store.js';
import { UnreadableEvent } from '../registry.js';

/**
 * Meaning of a client error for the caller:
 * - `conflict`: the stream has another revision; nothing was stored;
 * - `too-large`, `malformed`, `deleted`: the server will never accept this; nothing was stored;
 * - `refused`: the server denies access;
 * - `missing`: the stream does not exist;
 * - `lost`: the server cannot be reached or did not answer; the outcome is unknown.
 */
export type Trouble = 'conflict' | 'too-large' | 'malformed' | 'deleted' | 'refused' | 'missing' | 'lost';

/** The fields used of the client's errors. Under load it also throws plain errors with only a code. */
interface ClientError {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  'wrong-expected-version': 'conflict',
  'maximum-append-size-exceeded': 'too-large',
  'stream-deleted': 'deleted',
  'access-denied': 'refused',
  'stream-not-found': 'missing',
};

const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;
const DEADLINE_EXCEEDED = 4;

/** One attempt timed out. */
export class NoAnswer extends Error {
  constructor() {
    super('No answer came in time.');
    this.name = 'NoAnswer';
  }
}

/** No node of the cluster reports that it leads. */
export class NoLeader extends Error {
  /** @param cause error of the last node, when no node has answered */
  constructor(cause: unknown) {
    super('No node of the cluster leads it.', { cause });
    this.name = 'NoLeader';
  }
}

export function troubleOf(error: unknown): Trouble {
  const { type, code, message } = error as ClientError;
  const known = typeof type === 'string' ? TROUBLES[type] : undefined;
  if (known !== undefined) return known;
  if (code === PERMISSION_DENIED || code === UNAUTHENTICATED) return 'refused';
  // The one answer to a batch append that concerns the request itself and that the client cannot parse.
  if (code === undefined && typeof message === 'string' && message.includes('BadRequest')) return 'malformed';
  return 'lost';
}

/**
 * Whether an error is not the client's: errors of the port, errors about what was read, programming errors. A retry
 * does not help.
 */
export function isOwn(error: unknown): boolean {
  return OWN.some((type) => error instanceof type);
}

const OWN = [
  EventStoreUnavailable,
  DamagedRecord,
  UnreadableEvent,
  RevisionConflict,
  AppendTooLarge,
  TypeError,
  RangeError,
  ReferenceError,
];

const UNREADABLE_PLACE = new Set<unknown>([2, 3, 11, 13]);

/**
 * Whether the server answered but could not read at the position: UNKNOWN, INVALID_ARGUMENT, OUT_OF_RANGE, INTERNAL.
 */
export function isUnreadablePlace(error: unknown): boolean {
  return UNREADABLE_PLACE.has((error as ClientError).code);
}

/** Describes the error in known words only, since client errors can contain addresses and credentials. */
export function reasonOf(error: unknown): string {
  if (error instanceof NoLeader) return error.cause === undefined ? 'no node leads the cluster' : reasonOf(error.cause);
  if (troubleOf(error) === 'refused') return 'it refuses the credentials';
  const { type, code, message } = error as ClientError;
  if (troubleOf(error) === 'deleted') return 'a stream was deleted there';
  // An append that is refused for its deadline has a type and no code.
  if (error instanceof NoAnswer || code === DEADLINE_EXCEEDED || type === 'deadline-exceeded')
    return 'it does not answer in time';
  const text = typeof message === 'string' ? message : '';
  const system = /\b(?:E[A-Z]{4,}|(?:SELF_SIGNED|UNABLE_TO|DEPTH_ZERO|CERT|ERR_TLS)_[A-Z_]+)\b/.exec(text)?.[0];
  if (system !== undefined) return SYSTEM_REASONS[system] ?? system;
  if (/certificate/i.test(text)) return 'its certificate is not trusted';
  if (text.includes('Name resolution failed')) return 'no such host';
  if (text.includes('Not Ready')) return 'it is not ready';
  return 'the connection was lost';
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was lost',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
  ETIMEDOUT: 'it does not answer in time',
  EHOSTUNREACH: 'no way to the host',
  EPROTO: 'it does not speak TLS',
};
