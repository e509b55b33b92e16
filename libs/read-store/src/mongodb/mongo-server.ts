import { MongoClient, MongoError, ReadConcern, WriteConcern } from 'mongodb';
import type { ClientSession, Collection, Db, Document } from 'mongodb';
import { setTimeout as pause } from 'node:timers/promises';
import { asStoreFailure, hasCode, NAMESPACE_EXISTS, NAMESPACE_NOT_FOUND } from './mongo-failure.js';

const DATABASE_DEFAULT = 'scrollback';

/** How long a call waits for a server that can take it: a change of primary is over by then, and a request is not held up for ever. */
const SERVER_SELECTION_MS = 5_000;
const CONNECT_MS = 5_000;
/** A server that holds a connection open and says nothing is given up. Longer than any command may run. */
const SOCKET_SILENCE_MS = 20_000;
/** Queries and commits are made for milliseconds; what takes this long is stuck. */
export const OPERATION_MS = 10_000;
const POOL_SIZE_MAX = 20;
const POOL_WAIT_MS = 5_000;

const MAJORITY = new WriteConcern('majority', OPERATION_MS);

const TRANSACTION_ATTEMPTS_MAX = 8;
const COMMIT_ATTEMPTS_MAX = 3;
const PAUSE_FIRST_MS = 5;

/** What servers answer to whom they cannot do what was asked, as opposed to not now. */
const NOT_SUPPORTED_CODES = [
  9, // FailedToParse: an unknown field
  20, // IllegalOperation: transactions on a standalone server
  59, // CommandNotFound
  72, // InvalidOptions
  115, // CommandNotSupported
  148, // ReadConcernMajorityNotEnabled
  238, // NotImplemented
  263, // OperationNotSupportedInTransaction
];

export interface Capabilities {
  /** Several documents can change at once. */
  readonly transactions: boolean;
  /** Reads can be held to what a majority of the replica set has. */
  readonly majorityReads: boolean;
}

/** One server, replica set or sharded cluster, and the database on it that is ours. */
export class MongoServer {
  private constructor(
    private readonly client: MongoClient,
    /** The hosts of the address: what errors call the server. */
    readonly name: string,
    readonly database: Db,
    readonly capabilities: Capabilities,
  ) {}

  /** @throws ReadStoreUnavailable; TypeError when the address is none */
  static async connect(url: string): Promise<MongoServer> {
    const name = hostsOf(url);
    const client = clientFor(url, name);
    try {
      await client.connect();
      const database = client.db(databaseOf(url));
      await database.command({ ping: 1 });
      const majorityReads = await readsByMajority(database);
      const transactions = await hasTransactions(client, database);
      const readConcern = new ReadConcern(majorityReads ? 'majority' : 'local');
      const capabilities = { transactions, majorityReads };
      return new MongoServer(client, name, client.db(database.databaseName, { readConcern }), capabilities);
    } catch (error) {
      await client.close();
      throw asStoreFailure(error, name);
    }
  }

  collection<Stored extends Document>(name: string): Collection<Stored> {
    return this.database.collection<Stored>(name);
  }

  /** Runs what talks to the server. @throws ReadStoreUnavailable for what may be better another time. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw asStoreFailure(error, this.name);
    }
  }

  /** Creates the collection unless it exists. */
  async create(name: string, options: { readonly capped: true; readonly size: number } | object = {}): Promise<void> {
    try {
      await this.database.createCollection(name, options);
    } catch (error) {
      if (!hasCode(error, NAMESPACE_EXISTS)) throw error;
    }
  }

  /** Drops the collection if it exists. */
  async drop(name: string): Promise<void> {
    try {
      await this.database.dropCollection(name);
    } catch (error) {
      if (!hasCode(error, NAMESPACE_NOT_FOUND)) throw error;
    }
  }

  /**
   * All that `work` does in the session, or nothing. It may run several times. When the answer to the last step is lost
   * it is not known whether it was done.
   */
  async transaction(work: (session: ClientSession) => Promise<void>): Promise<void> {
    await this.client.withSession((session) => inTransaction(session, work));
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

function clientFor(url: string, name: string): MongoClient {
  try {
    return new MongoClient(url, {
      appName: 'scrollback',
      serverSelectionTimeoutMS: SERVER_SELECTION_MS,
      connectTimeoutMS: CONNECT_MS,
      socketTimeoutMS: SOCKET_SILENCE_MS,
      maxPoolSize: POOL_SIZE_MAX,
      waitQueueTimeoutMS: POOL_WAIT_MS,
      readPreference: 'primary',
      writeConcern: MAJORITY,
      // A missing field stays missing. The documents themselves hold no undefined (see `encodeDocument`).
      ignoreUndefined: true,
    });
  } catch (error) {
    // The driver's own text may quote the address, credentials and all.
    const kind = error instanceof MongoError ? error.name : 'not an address';
    // eslint-disable-next-line preserve-caught-error -- for the same reason
    throw new TypeError(
      `The read store's address (host ${name}) is not one that MongoDB's driver understands (${kind}). Characters of a password ` +
        'such as @ : / ? # must be percent-encoded, and options must be known ones.',
    );
  }
}

/** The hosts of an address, for messages: without credentials, also where the address is malformed. */
export function hostsOf(url: string): string {
  const rest = url.slice(url.indexOf('://') + 3);
  const authority = rest.split(/[/?#]/, 1)[0] ?? '';
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  // An unescaped separator inside the credentials leaves parts of them here.
  return rest.includes('@') && !authority.includes('@') ? 'unknown' : hosts;
}

export function databaseOf(url: string): string {
  const path = /^[^:]+:\/\/[^/?]+\/([^?]*)/.exec(url)?.[1];
  return path === undefined || path === '' ? DATABASE_DEFAULT : decodeURIComponent(path);
}

/** Tried on a read, since servers that look alike differ. */
async function readsByMajority(database: Db): Promise<boolean> {
  return supported(async () => {
    await database.collection('state').findOne({}, { readConcern: { level: 'majority' }, maxTimeMS: OPERATION_MS });
  });
}

/** Tried without changing anything: a standalone server refuses the read, others do not know how to commit. */
async function hasTransactions(client: MongoClient, database: Db): Promise<boolean> {
  return supported(() =>
    client.withSession((session) =>
      inTransaction(session, async () => {
        await database.collection('state').findOne({}, { session });
      }),
    ),
  );
}

async function supported(attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (hasCode(error, ...NOT_SUPPORTED_CODES)) return false;
    throw error;
  }
}

async function inTransaction(session: ClientSession, work: (session: ClientSession) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    session.startTransaction({ writeConcern: MAJORITY, readPreference: 'primary' });
    try {
      await work(session);
      await commit(session);
      return;
    } catch (error) {
      // What cannot be aborted ends with the session. The driver swallows what the server says to it.
      if (session.inTransaction()) await session.abortTransaction();
      const isTransient = error instanceof MongoError && error.hasErrorLabel('TransientTransactionError');
      if (!isTransient || attempt === TRANSACTION_ATTEMPTS_MAX) throw error;
      await pause(PAUSE_FIRST_MS * 2 ** attempt);
    }
  }
}

/** Asks again while it is not known whether it was done: a commit that was done answers so. */
async function commit(session: ClientSession): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      const isUnknown = error instanceof MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
      if (!isUnknown || attempt === COMMIT_ATTEMPTS_MAX) throw error;
      await pause(PAUSE_FIRST_MS * 2 ** attempt);
    }
  }
}
