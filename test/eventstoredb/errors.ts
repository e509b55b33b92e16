import { Metadata, status } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import { ANY, NO_STREAM, STREAM_EXISTS } from './store.js';
import { encodeStatus, encodeWrongExpectedVersion } from './wire.js';

/** A larger append is refused. The estimate is the node's: two bytes for each character of a type. */
export const MAX_APPEND_BYTES = 1 << 20;

/** A failed call: a status, and trailers that tell the client which of its errors to throw. */
export class CallFailure extends Error {
  constructor(
    readonly code: status,
    readonly details: string,
    trailers: Record<string, string> = {},
  ) {
    super(details);
    for (const [key, value] of Object.entries(trailers)) this.metadata.set(key, value);
  }

  readonly metadata = new Metadata();
}

export function streamDeleted(stream: string): CallFailure {
  return new CallFailure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });
}

export function wrongExpectedVersion(what: string, stream: string, expected: number, actual: number): CallFailure {
  return new CallFailure(
    status.FAILED_PRECONDITION,
    `${what} failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expected}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': String(expected),
      'actual-version': String(actual),
    },
  );
}

export function maxAppendSizeExceeded(): CallFailure {
  return new CallFailure(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND_BYTES),
  });
}

export function notLeader(host: string, port: number): CallFailure {
  return new CallFailure(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });
}

export function accessDenied(): CallFailure {
  return new CallFailure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
}

export function unauthenticated(): CallFailure {
  return new CallFailure(status.UNAUTHENTICATED, 'Unauthenticated');
}

export function unavailable(): CallFailure {
  return new CallFailure(status.UNAVAILABLE, 'Server Is Not Ready');
}

export function consumerTooSlow(): CallFailure {
  const reason = 'Consumer too slow to handle event while live. Client resubscription required.';
  return new CallFailure(status.ABORTED, `Operation timed out: ${reason}`);
}

/** A failed append of a batch: it does not end the call, and names its error by the type of its details. */
export type BatchError = statuses.Status;

function batchError(code: number, type: string, details: Uint8Array): BatchError {
  return statuses.Status.deserializeBinary(encodeStatus(code, type, `event_store.client.${type}`, details));
}

function expectation(expected: number): number | 'any' | 'streamExists' | 'noStream' {
  if (expected === ANY) return 'any';
  if (expected === STREAM_EXISTS) return 'streamExists';
  return expected === NO_STREAM ? 'noStream' : expected;
}

export const batchErrors = {
  wrongExpectedVersion(expected: number, actual: number): BatchError {
    const details = encodeWrongExpectedVersion(actual < 0 ? undefined : actual, expectation(expected));
    return batchError(status.ALREADY_EXISTS, 'WrongExpectedVersion', details);
  },
  streamDeleted(stream: string): BatchError {
    const details = new shared.StreamDeleted();
    const identifier = new shared.StreamIdentifier();
    identifier.setStreamName(Buffer.from(stream));
    details.setStreamIdentifier(identifier);
    return batchError(status.FAILED_PRECONDITION, 'StreamDeleted', details.serializeBinary());
  },
  maxAppendSizeExceeded(): BatchError {
    const details = new shared.MaximumAppendSizeExceeded();
    details.setMaxappendsize(MAX_APPEND_BYTES);
    return batchError(status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', details.serializeBinary());
  },
  badRequest(message: string): BatchError {
    const details = new shared.BadRequest();
    details.setMessage(message);
    return batchError(status.INVALID_ARGUMENT, 'BadRequest', details.serializeBinary());
  },
  timeout: (): BatchError => batchError(status.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout().serializeBinary()),
  accessDenied: (): BatchError =>
    batchError(status.PERMISSION_DENIED, 'AccessDenied', new shared.AccessDenied().serializeBinary()),
};
