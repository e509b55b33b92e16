import { MongoNetworkTimeoutError } from 'mongodb';
import type { Db, MongoClient } from 'mongodb';
import { within } from '#kernel';
import { ReadStoreUnavailable } from '../../read-store.js';

/** Extra time for the network, on top of the server's limit. */
const WAY_MS = 1_000;
/** Minimum interval between two replacements of the connections. */
const REPLACED_EVERY_MS = 5_000;
const CONNECTED_WITHIN_MS = 6_000;
/**
 * Timeout of the driver's server check. A check that begins on a connection that the server is just closing never ends,
 * and the driver uses no server meanwhile (mongodb 7.8).
 */
const LOOK_LIMIT_MS = 1_000;
/** Timeout of closing, which also calls the server. */
const CLOSED_WITHIN_MS = 3_000;

/** A call did not settle in time, although the driver has timeouts of its own. Its outcome is unknown. */
export class CallGivenUp extends ReadStoreUnavailable {
  constructor(server: string, limitMs: number) {
    super(`The read store at ${server} did not answer within ${limitMs} ms.`);
    this.name = 'CallGivenUp';
  }
}

/** The server that calls go to. */
export interface Target {
  /** The hosts, for errors. */
  readonly name: string;
  /** Creates an unconnected client that closes connections after this silence. */
  client(silenceMs?: number): MongoClient;
  database(client: MongoClient): Db;
}

/** A client, and its calls in progress. */
interface Pool {
  readonly client: MongoClient;
  calls: number;
  /** Time of the last answer. */
  heardMs: number;
  /** Set when the pool was replaced: called after its last call. */
  emptied?: () => void;
}

/**
 * Makes all calls to MongoDB. Each call has a timeout that is passed to the server, and is abandoned soon after it.
 * When a call is abandoned, or a connection stays silent, all connections are suspect, and the driver would try them
 * one after another, each until its timeout. So a new client takes over as soon as it is connected, and the old one is
 * closed after its last call. When the driver has lost the server, its calls fail at once instead of waiting.
 */
export class MongoCalls {
  #pool: Pool;
  #replacing: Promise<void> | undefined;
  #replacedMs = -Infinity;
  #isClosed = false;

  private constructor(
    private readonly target: Target,
    client: MongoClient,
  ) {
    this.#pool = this.#poolOf(client);
  }

  static async connect(target: Target): Promise<MongoCalls> {
    return new MongoCalls(target, await connected(target));
  }

  /**
   * Runs a call that passes its timeout on to the server.
   * @throws CallGivenUp
   */
  async run<Result>(limitMs: number, call: (database: Db) => Promise<Result>): Promise<Result> {
    if (this.#replacing !== undefined) await this.#fresh();
    const pool = this.#pool;
    pool.calls++;
    try {
      const result = await this.#within(limitMs, pool.client, call);
      pool.heardMs = performance.now();
      return result;
    } catch (error) {
      if (isSuspicious(error) && pool === this.#pool) this.#replace();
      throw error;
    } finally {
      if (--pool.calls === 0) pool.emptied?.();
    }
  }

  /** Runs a call that takes longer than connections may be silent, on its own client. */
  async runLong<Result>(limitMs: number, call: (database: Db) => Promise<Result>): Promise<Result> {
    const client = await connected(this.target, limitMs + WAY_MS);
    try {
      return await this.#within(limitMs, client, call);
    } finally {
      await close(client);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await close(this.#pool.client);
    await this.#replacing;
  }

  #within<Result>(limitMs: number, client: MongoClient, call: (database: Db) => Promise<Result>): Promise<Result> {
    const ownLimitMs = limitMs + WAY_MS;
    return within(
      ownLimitMs,
      () => call(this.target.database(client)),
      () => new CallGivenUp(this.target.name, ownLimitMs),
    );
  }

  /**
   * Resolves when the new client is connected, and soon in any case: an unavailable server accepts none for a while.
   */
  async #fresh(): Promise<void> {
    await within(
      WAY_MS,
      () => this.#replacing ?? Promise.resolve(),
      () => new CallGivenUp(this.target.name, WAY_MS),
    ).catch(() => undefined);
  }

  #replace(): void {
    if (performance.now() - this.#replacedMs >= REPLACED_EVERY_MS) this.#replaceNow(false);
  }

  #replaceNow(isLost: boolean): void {
    if (this.#isClosed || this.#replacing !== undefined) return;
    this.#replacing = this.#connectAfresh(isLost).finally(() => (this.#replacing = undefined));
  }

  #poolOf(client: MongoClient): Pool {
    const pool: Pool = { client, calls: 0, heardMs: -Infinity };
    whenLooksHang(client, true, (sinceMs) => {
      // An unavailable member of a replica set delays no call.
      if (pool === this.#pool && pool.calls > 0 && pool.heardMs < sinceMs) this.#replaceNow(true);
    });
    return pool;
  }

  async #connectAfresh(isLost: boolean): Promise<void> {
    try {
      const client = await connected(this.target);
      const before = this.#pool;
      if (this.#isClosed) {
        await close(client);
        return;
      }
      this.#pool = this.#poolOf(client);
      if (isLost || before.calls === 0) void close(before.client);
      else before.emptied = () => void close(before.client);
    } catch {
      // The server is unavailable: the present client keeps looking for it.
    } finally {
      this.#replacedMs = performance.now();
    }
  }
}

/** The driver itself, or a connection, was silent; or no connection became free for seconds. */
function isSuspicious(error: unknown): boolean {
  if (error instanceof CallGivenUp || error instanceof MongoNetworkTimeoutError) return true;
  // Not exported by the driver.
  return error instanceof Error && error.name === 'MongoWaitQueueTimeoutError';
}

/**
 * Calls back repeatedly while a server check of the driver that began at this time, on an existing connection, has not
 * ended.
 */
function whenLooksHang(client: MongoClient, isConnected: boolean, hangs: (sinceMs: number) => void): void {
  const looks = new Map<string, NodeJS.Timeout>();
  /** Whether the previous check succeeded: after a failed one the driver uses a new connection. */
  const wentWell = new Map<string, boolean>();
  const over = (address: string, isWell: boolean): void => {
    clearInterval(looks.get(address));
    looks.delete(address);
    wentWell.set(address, isWell);
  };
  client.on('serverHeartbeatStarted', ({ connectionId: address, awaited }) => {
    // A server that streams its changes answers when there is one.
    if (awaited || !(wentWell.get(address) ?? isConnected)) return;
    const sinceMs = performance.now();
    clearInterval(looks.get(address));
    looks.set(address, setInterval(() => hangs(sinceMs), LOOK_LIMIT_MS).unref());
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => over(connectionId, true));
  client.on('serverHeartbeatFailed', ({ connectionId }) => over(connectionId, false));
  client.on('serverClosed', ({ address }) => over(address, false));
}

async function connected(target: Target, silenceMs?: number): Promise<MongoClient> {
  const client = target.client(silenceMs);
  const lost = new Promise<never>((_, reject) => {
    whenLooksHang(client, false, () => reject(new CallGivenUp(target.name, LOOK_LIMIT_MS)));
  });
  try {
    return await within(
      CONNECTED_WITHIN_MS,
      () => Promise.race([client.connect(), lost]),
      () => new CallGivenUp(target.name, CONNECTED_WITHIN_MS),
    );
  } catch (error) {
    await close(client);
    throw error;
  }
}

/** Anything still open after the timeout is left to the driver. */
async function close(client: MongoClient): Promise<void> {
  await within(
    CLOSED_WITHIN_MS,
    () => client.close(),
    () => new Error('The client did not close.'),
  ).catch(() => undefined);
}
