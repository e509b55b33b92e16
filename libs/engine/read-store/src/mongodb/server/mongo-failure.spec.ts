import {
  MongoBulkWriteError,
  MongoClientBulkWriteError,
  MongoNetworkError,
  MongoRuntimeError,
  MongoServerError,
  MongoWriteConcernError,
} from 'mongodb';
import type { BulkWriteResult } from 'mongodb';
import { ReadStoreUnavailable } from '../../read-store.js';
import { asStoreFailure, duplicatesAmong, isNotSupported } from './mongo-failure.js';

const duplicate = { index: 1, code: 11000, errmsg: 'duplicate key' };
const noMajority = { code: 64, errmsg: 'waiting for replication timed out' };

/** The error that a bulk of inserts throws. */
function bulkError(writeErrors: readonly object[], isMajority: boolean): MongoBulkWriteError {
  // The driver exports only the type.
  const result = { getWriteConcernError: () => (isMajority ? undefined : noMajority) } as unknown as BulkWriteResult;
  return new MongoBulkWriteError({ message: 'a bulk', code: 11000, writeErrors: writeErrors as never }, result);
}

/** The error that a bulk on several collections throws. */
function clientBulkError(codes: readonly number[], rest: Partial<MongoClientBulkWriteError> = {}): MongoServerError {
  const error = new MongoClientBulkWriteError({ message: 'a bulk' });
  codes.forEach((code, index) => error.writeErrors.set(2 * index + 1, { code, message: 'x' }));
  return Object.assign(error, rest);
}

describe('a failure of MongoDB', () => {
  test('of inserts names the documents that were there already', () => {
    expect(duplicatesAmong(bulkError([duplicate], true))).toEqual([1]);
    expect(duplicatesAmong(bulkError([duplicate, { ...duplicate, index: 0, code: 121 }], true))).toBeUndefined();
  });

  test('of inserts that no majority has passes, and is not taken for documents that were there', () => {
    const error = bulkError([duplicate], false);
    expect(duplicatesAmong(error)).toBeUndefined();
    expect(asStoreFailure(error, 'host')).toBeInstanceOf(ReadStoreUnavailable);
    const alone = new MongoWriteConcernError({ ok: 1, writeConcernError: { ...noMajority, code: 79 } });
    expect(asStoreFailure(alone, 'host')).toBeInstanceOf(ReadStoreUnavailable);
  });

  test('of a bulk on several collections names the documents that were there already, when that is all', () => {
    expect(duplicatesAmong(clientBulkError([11000, 11000]))).toEqual([1, 3]);
    expect(duplicatesAmong(clientBulkError([11000, 121]))).toBeUndefined();
    const unreplicated = clientBulkError([11000], { writeConcernErrors: [{ code: 64, message: 'timed out' }] });
    expect(duplicatesAmong(unreplicated)).toBeUndefined();
    expect(asStoreFailure(unreplicated, 'host')).toBeInstanceOf(ReadStoreUnavailable);
  });

  test('of a bulk on several collections passes when what happened beside them does', () => {
    expect(asStoreFailure(clientBulkError([11000, 112]), 'host')).toBeInstanceOf(ReadStoreUnavailable);
    expect(asStoreFailure(clientBulkError([11000, 121]), 'host')).not.toBeInstanceOf(ReadStoreUnavailable);
    const cause = new MongoServerError({ code: 10107, errmsg: 'not primary' });
    expect(asStoreFailure(clientBulkError([], { cause }), 'host')).toMatchObject({
      name: 'ReadStoreUnavailable',
      cause,
    });
    expect(isNotSupported(clientBulkError([], { cause: new MongoServerError({ code: 59, errmsg: 'x' }) }))).toBe(true);
    expect(isNotSupported(clientBulkError([], { cause }))).toBe(false);
  });

  const broken = (code: string): Error =>
    Object.assign(new Error(`write ${code}`), { code, syscall: 'write', errno: -32 });

  test.each([
    'EPIPE',
    'ECONNABORTED',
    'ECONNRESET',
    'ECONNREFUSED',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'ENETDOWN',
    'ENETRESET',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EADDRNOTAVAIL',
    'ENOTCONN',
    'ESHUTDOWN',
    'ENOBUFS',
    'EMFILE',
    'ERR_STREAM_DESTROYED',
    'ERR_SOCKET_CLOSED',
  ])('of a connection, %s, passes, however the driver tells it', (code) => {
    const told = [
      broken(code),
      new MongoNetworkError('x', { cause: broken(code) }),
      new MongoRuntimeError('x', { cause: broken(code) }),
    ];
    for (const error of told) {
      const failure = asStoreFailure(error, 'host');
      expect(failure).toBeInstanceOf(ReadStoreUnavailable);
      expect((failure as Error).message).toContain('The read store at host');
      expect((failure as Error).cause).toBe(error);
    }
  });

  test.each([
    [10107, 'NotWritablePrimary'],
    [11602, 'InterruptedDueToReplStateChange'],
    [50, 'MaxTimeMSExpired'],
    [112, 'WriteConflict'],
    [43, 'CursorNotFound'],
    [91, 'ShutdownInProgress'],
    [211, 'KeyNotFound'],
    [100, 'UnsatisfiableWriteConcern'],
  ])('that the server tells by its code %i (%s) passes', (code) => {
    expect(asStoreFailure(new MongoServerError({ code, errmsg: 'x' }), 'host')).toBeInstanceOf(ReadStoreUnavailable);
  });

  test('that stays is left as it is', () => {
    const error = new MongoServerError({ code: 121, errmsg: 'Document failed validation' });
    expect(asStoreFailure(error, 'host')).toBe(error);
    expect(asStoreFailure(bulkError([{ ...duplicate, code: 121 }], true), 'host')).not.toBeInstanceOf(
      ReadStoreUnavailable,
    );
    for (const own of [new TypeError('a defect'), broken('ENOENT'), broken('ERR_INVALID_ARG_TYPE')])
      expect(asStoreFailure(own, 'host')).toBe(own);
  });
});
