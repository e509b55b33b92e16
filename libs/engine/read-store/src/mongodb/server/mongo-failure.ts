import {
  MongoBulkWriteError,
  MongoClientBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoParseError,
  MongoServerClosedError,
  MongoServerError,
  MongoStalePrimaryError,
  MongoSystemError,
  MongoTopologyClosedError,
  MongoUnexpectedServerResponseError,
  MongoWriteConcernError,
} from 'mongodb';
import type { ClientBulkWriteError } from 'mongodb';
import { ReadStoreUnavailable } from '../../read-store.js';
import { PASSING_CODES, PASSING_SYSTEM_CODES } from './passing-codes.js';

/** Labels by which the server or the driver marks an error as retryable. */
const PASSING_LABELS = ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError'] as const;

const PASSING_ERRORS = [
  MongoNetworkError,
  MongoSystemError,
  MongoOperationTimeoutError,
  MongoParseError, // Bytes that are not an answer, as from a broken connection.
  MongoStalePrimaryError,
  MongoUnexpectedServerResponseError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoServerClosedError,
  MongoClientClosedError,
  MongoExpiredSessionError,
  MongoWriteConcernError,
];

/** The driver wraps errors of a bulk. */
function unwrapped(error: unknown): unknown {
  if (error instanceof MongoClientBulkWriteError) return failureOfBulk(error);
  if (!(error instanceof MongoBulkWriteError)) return error;
  const inner: unknown = error.errorResponse;
  return inner instanceof Error ? inner : error;
}

/** Maps the error to one of this library. `server` names the hosts. */
export function asStoreFailure(wrapped: unknown, server: string): unknown {
  const error = unwrapped(wrapped);
  if (!isPassing(error)) return error;
  return new ReadStoreUnavailable(`The read store at ${server} is not available: ${reasonOf(error)}`, { cause: error });
}

export function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof MongoServerError && typeof error.code === 'number' && codes.includes(error.code);
}

/** Codes by which servers say that they do not support an operation. */
const NOT_SUPPORTED_CODES = [
  9, // FailedToParse: an unknown field
  59, // CommandNotFound
  72, // InvalidOptions
  115, // CommandNotSupported
  148, // ReadConcernMajorityNotEnabled
  238, // NotImplemented
];

const UNAUTHORIZED = 13;
export const DUPLICATE_KEY = 11000;
export const NAMESPACE_EXISTS = 48;
export const NAMESPACE_NOT_FOUND = 26;

/**
 * Indexes of the inserted documents that existed already; undefined when anything else failed. The other documents are
 * on the server then, acknowledged by a majority.
 */
export function duplicatesAmong(wrapped: unknown): readonly number[] | undefined {
  const error = unwrapped(wrapped);
  if (error instanceof MongoClientBulkWriteError) return [...error.writeErrors.keys()];
  if (!(error instanceof MongoBulkWriteError)) return undefined;
  if (lacksMajority(error)) return undefined;
  const errors = [error.writeErrors].flat();
  if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) return undefined;
  return errors.map(({ index }) => index);
}

/** Whether the server does not know the command or an option of it, as opposed to not at the moment. */
export function isNotSupported(error: unknown): boolean {
  return hasCode(unwrapped(error), ...NOT_SUPPORTED_CODES);
}

/** Whether the server denies the command to this user, who may be allowed others. */
export function isDenied(error: unknown): boolean {
  return hasCode(unwrapped(error), UNAUTHORIZED);
}

/** Why some writes of a bulk on several collections failed; the error itself where documents existed and nothing else did. */
function failureOfBulk(error: MongoClientBulkWriteError): unknown {
  if (error.cause !== undefined) return error.cause;
  const [unreplicated] = error.writeConcernErrors as ClientBulkWriteError[];
  if (unreplicated !== undefined) {
    const { code, message: errmsg } = unreplicated;
    return new MongoWriteConcernError({ ok: 1, writeConcernError: { code, errmsg } });
  }
  const other = [...error.writeErrors.values()].find(({ code }) => code !== DUPLICATE_KEY);
  return other === undefined ? error : new MongoServerError({ code: other.code, errmsg: other.message });
}

/** The server has done the write without a majority yet: an election may undo it. */
function lacksMajority(error: unknown): boolean {
  return error instanceof MongoBulkWriteError && error.result.getWriteConcernError() !== undefined;
}

function isPassing(error: unknown): error is Error {
  if (!(error instanceof MongoError)) return isSystemError(error);
  if (PASSING_ERRORS.some((kind) => error instanceof kind)) return true;
  // Not exported by the driver.
  if (error.name === 'MongoWaitQueueTimeoutError') return true;
  if (lacksMajority(error) || isSystemError(error.cause)) return true;
  if (PASSING_LABELS.some((label) => error.hasErrorLabel(label))) return true;
  return error.code !== undefined && PASSING_CODES.has(error.code);
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && PASSING_SYSTEM_CODES.has(String(codeOf(error)));
}

function codeOf(error: Error): string | number | undefined {
  return 'code' in error ? (error.code as string | number | undefined) : undefined;
}

/** Errors of the driver, the server and the operating system name hosts, codes and commands, never credentials. */
function reasonOf(error: Error): string {
  const code = codeOf(error);
  return `${error.message} (${error.name}${code === undefined ? '' : ` ${String(code)}`})`;
}
