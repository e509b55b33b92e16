import type { BSON } from 'mongodb';
import type { Request } from './wire.js';

/** Errors that a server answers commands with, by its names for them. */
const CODES = {
  Unauthorized: 13,
  CursorNotFound: 43,
  MaxTimeMSExpired: 50,
  CommandNotSupported: 115,
  WriteConflict: 112,
  NotWritablePrimary: 10107,
  InterruptedDueToReplStateChange: 11602,
} as const;

export type ErrorName = keyof typeof CODES;

const TEXTS: Readonly<Record<ErrorName, string>> = {
  Unauthorized: 'not authorized on scrollback to execute command',
  CursorNotFound: 'cursor id not found',
  MaxTimeMSExpired: 'operation exceeded time limit',
  CommandNotSupported: 'BulkWrite may not be run without featureFlagBulkWriteCommand enabled',
  WriteConflict: 'WriteConflict error: this operation conflicted with another operation. Please retry your operation.',
  NotWritablePrimary: 'not primary',
  InterruptedDueToReplStateChange: 'operation was interrupted',
};

const TRANSIENT: readonly ErrorName[] = ['WriteConflict', 'NotWritablePrimary', 'InterruptedDueToReplStateChange'];
const RETRYABLE: readonly ErrorName[] = ['NotWritablePrimary', 'InterruptedDueToReplStateChange'];

/** The document by which a server refuses a command, with the labels that a real one gives it. */
export function refusal(request: Request, name: ErrorName): BSON.Document {
  const errorLabels = labelsOf(request, name);
  return {
    ok: 0,
    errmsg: TEXTS[name],
    code: CODES[name],
    codeName: name,
    ...(errorLabels.length > 0 && { errorLabels }),
  };
}

/** Labels tell a driver what it may do by itself: run the transaction, or the single write, again. */
function labelsOf({ command, body }: Request, name: ErrorName): readonly string[] {
  const isEnd = command === 'commitTransaction' || command === 'abortTransaction';
  const isInTransaction = body['autocommit'] === false;
  if (isInTransaction && !isEnd) return TRANSIENT.includes(name) ? ['TransientTransactionError'] : [];
  const isRetryable = isEnd || body['txnNumber'] !== undefined;
  return isRetryable && RETRYABLE.includes(name) ? ['RetryableWriteError'] : [];
}
