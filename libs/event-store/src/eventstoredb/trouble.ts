import { AppendTooLarge, DamagedRecord, EventStoreUnavailable, RevisionConflict } from '../event-store.js';
import { UnreadableEvent } from '../registry.js';

/**
 * What an error of the client means for whoever asked:
 * - `conflict`: the stream was elsewhere; nothing was stored;
 * - `too-large`, `malformed`, `deleted`: the server will never take this; nothing was stored;
 * - `refused`: the server does not let us;
 * - `missing`: there is no such stream;
 * - `lost`: the server cannot be reached or did not answer. What it did is not known.
 */
export type Trouble = 'conflict' | 'too-large' | 'malformed' | 'deleted' | 'refused' | 'missing' | 'lost';

/** The client's errors as far as they are looked at. Under load it also throws plain ones that have a code alone. */
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

/** No answer came within the time that is given to one attempt. */
export class NoAnswer extends Error {
  constructor() {
    super('No answer came in time.');
    this.name = 'NoAnswer';
  }
}

export function troubleOf(error: unknown): Trouble {
  const { type, code, message } = error as ClientError;
  const known = typeof type === 'string' ? TROUBLES[type] : undefined;
  if (known !== undefined) return known;
  if (code === PERMISSION_DENIED || code === UNAUTHENTICATED) return 'refused';
  // The one answer of a batch-append that is about the request itself and that the client cannot read.
  if (code === undefined && typeof message === 'string' && message.includes('BadRequest')) return 'malformed';
  return 'lost';
}

/** Errors that are not the client's: of the port, about what was read, or mistakes in the program. No repetition mends them. */
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

/** The server answered, but could not read there: UNKNOWN, INVALID_ARGUMENT, OUT_OF_RANGE, INTERNAL. */
export function isUnreadablePlace(error: unknown): boolean {
  return UNREADABLE_PLACE.has((error as ClientError).code);
}

/** The reason in a few words. Errors of the client can hold addresses and more, so nothing is repeated but what is known. */
export function reasonOf(error: unknown): string {
  if (troubleOf(error) === 'refused') return 'it refuses the credentials';
  const { code, message } = error as ClientError;
  if (troubleOf(error) === 'deleted') return 'a stream was deleted there';
  if (error instanceof NoAnswer || code === DEADLINE_EXCEEDED) return 'it does not answer in time';
  const text = typeof message === 'string' ? message : '';
  const system = /\b(?:E[A-Z]{4,}|(?:SELF_SIGNED|UNABLE_TO|DEPTH_ZERO|CERT|ERR_TLS)_[A-Z_]+)\b/.exec(text)?.[0];
  if (system !== undefined) return SYSTEM_REASONS[system] ?? system;
  if (/certificate/i.test(text)) return 'its certificate is not trusted';
  if (text.includes('Name resolution failed')) return 'no such host';
  if (text.includes('Failed to discover')) return 'no node of the cluster answers';
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
