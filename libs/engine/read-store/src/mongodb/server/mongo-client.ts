import os from 'node:os';
import { MongoClient, MongoError, WriteConcern } from 'mongodb';

const DATABASE_DEFAULT = 'scrollback';

/** How long a call waits for a suitable server: a planned change of primary takes less, and no request waits longer. */
const SERVER_SELECTION_MS = 5_000;
/** Also the timeout of the driver's server check. */
const CONNECT_MS = 5_000;
/** Queries and commits take milliseconds; an operation that takes this long is stuck. */
export const OPERATION_MS = 7_000;
/** A connection that is silent for longer than any command may run is closed. */
const SOCKET_SILENCE_MS = 8_000;
const POOL_SIZE_MAX = 20;
const POOL_WAIT_MS = 5_000;
/**
 * How often the driver looks for connections that are missing from its pool's minimum, of which there is none here, or to be closed.
 * With its default of 100 ms, an idle process wakes for nothing else so often.
 */
const POOL_CHECK_EVERY_MS = 10_000;
/** A silent server is detected after this plus the check's timeout. */
const HEARTBEAT_EVERY_MS = 2_000;
/** Pause before the server is checked again after connections were cut; the driver's default is 500. */
const HEARTBEAT_PAUSE_MS = 100;

/** For each write that decides something, or that must survive an election. */
export const MAJORITY = new WriteConcern('majority', OPERATION_MS);

/** @throws TypeError for an invalid address */
export function clientFor(url: string, name: string, silenceMs = SOCKET_SILENCE_MS): MongoClient {
  try {
    const client = new MongoClient(url, {
      appName: 'scrollback',
      // The driver loads this module by `import()`, which fails inside Jest; it then sends no client metadata, and a real server
      // refuses every connection.
      runtimeAdapters: { os },
      serverSelectionTimeoutMS: SERVER_SELECTION_MS,
      connectTimeoutMS: CONNECT_MS,
      socketTimeoutMS: silenceMs,
      maxPoolSize: POOL_SIZE_MAX,
      waitQueueTimeoutMS: POOL_WAIT_MS,
      heartbeatFrequencyMS: HEARTBEAT_EVERY_MS,
      minHeartbeatFrequencyMS: HEARTBEAT_PAUSE_MS,
      readPreference: 'primary',
      writeConcern: MAJORITY,
      // A missing field stays missing. Documents contain no undefined (see `encodeDocument`).
      ignoreUndefined: true,
    });
    // An option of the pool that the client's constructor refuses, and hands on.
    Object.assign(client.options, { minPoolSizeCheckFrequencyMS: POOL_CHECK_EVERY_MS });
    return client;
  } catch (error) {
    // The driver's own message may quote the address, including credentials.
    const kind = error instanceof MongoError ? error.name : 'not an address';
    // eslint-disable-next-line preserve-caught-error -- for the same reason
    throw new TypeError(
      `The read store's address (host ${name}) is not one that MongoDB's driver understands (${kind}). Characters of a password ` +
        'such as @ : / ? # must be percent-encoded, and options must be known ones.',
    );
  }
}

/** Hosts of an address, for messages: without credentials, even when the address is malformed. */
export function hostsOf(url: string): string {
  const rest = url.slice(url.indexOf('://') + 3);
  const authority = rest.split(/[/?#]/, 1)[0] ?? '';
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  // An unescaped separator in the credentials leaves parts of them here.
  return rest.includes('@') && !authority.includes('@') ? 'unknown' : hosts;
}

export function databaseOf(url: string): string {
  const path = /^[^:]+:\/\/[^/?]+\/([^?]*)/.exec(url)?.[1];
  return path === undefined || path === '' ? DATABASE_DEFAULT : decodeURIComponent(path);
}
