import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoSystemError,
  MongoTopologyClosedError,
} from 'mongodb';
import { ReadStoreUnavailable } from '../read-store.js';

/** What a server answers that is away, changes its primary, is overloaded, full, or does not let us in: another time it may. */
const PASSING_CODES: ReadonlySet<number | string> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  13, // Unauthorized
  18, // AuthenticationFailed
  24, // LockTimeout
  50, // MaxTimeMSExpired
  63, // StaleShardVersion
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  150, // StaleEpoch
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  225, // TransactionTooOld
  246, // SnapshotUnavailable
  251, // NoSuchTransaction
  262, // ExceededTimeLimit
  290, // TransactionExceededLifetimeLimitSeconds
  384, // ConnectionError
  391, // ReauthenticationRequired
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13388, // StaleConfig
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
  14031, // OutOfDiskSpace
]);

const PASSING_LABELS = ['RetryableWriteError', 'TransientTransactionError', 'UnknownTransactionCommitResult'] as const;

const PASSING_ERRORS = [
  MongoNetworkError,
  MongoSystemError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoServerClosedError,
  MongoClientClosedError,
  MongoExpiredSessionError,
];

/** The driver wraps what fails in a bulk. */
export function unwrapped(error: unknown): unknown {
  if (!(error instanceof MongoBulkWriteError)) return error;
  const inner: unknown = error.errorResponse;
  return inner instanceof Error ? inner : error;
}

/** The error as this library's users know it. `server` names the hosts. */
export function asStoreFailure(wrapped: unknown, server: string): unknown {
  const error = unwrapped(wrapped);
  if (!isPassing(error)) return error;
  return new ReadStoreUnavailable(`The read store at ${server} is not available: ${reasonOf(error)}`, { cause: error });
}

export function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof MongoServerError && typeof error.code === 'number' && codes.includes(error.code);
}

export const DUPLICATE_KEY = 11000;
export const NAMESPACE_EXISTS = 48;
export const NAMESPACE_NOT_FOUND = 26;

/** Which of the inserted documents were there already; undefined when that is not all that failed. */
export function duplicatesAmong(wrapped: unknown): readonly number[] | undefined {
  const error = unwrapped(wrapped);
  if (!(error instanceof MongoBulkWriteError)) return undefined;
  const errors = [error.writeErrors].flat();
  if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) return undefined;
  return errors.map(({ index }) => index);
}

function isPassing(error: unknown): error is MongoError {
  if (!(error instanceof MongoError)) return false;
  if (PASSING_ERRORS.some((kind) => error instanceof kind)) return true;
  // Not exported by the driver.
  if (error.name === 'MongoWaitQueueTimeoutError') return true;
  if (PASSING_LABELS.some((label) => error.hasErrorLabel(label))) return true;
  return error.code !== undefined && PASSING_CODES.has(error.code);
}

/** Errors of the driver and the server name hosts, codes and commands, never credentials. */
function reasonOf(error: MongoError): string {
  return `${error.message} (${error.name}${error.code === undefined ? '' : ` ${error.code}`})`;
}
