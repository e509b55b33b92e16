import { MongoNetworkTimeoutError } from 'mongodb';
import type { Db, MongoClient } from 'mongodb';
import { within } from '#kernel';
import { CallGivenUp, CallsInProgress, notWithin } from './calls-in-progress.js';
import { LOOK_LIMIT_MS, whenCallsHang, whenLooksHang } from './driver-watch.js';

/** Extra time for the network, on top of the server's limit. */
const WAY_MS = 1_000;
/** Minimum interval between two replacements of the connections. */
const REPLACED_EVERY_MS = 5_000;
const CONNECTED_WITHIN_MS = 6_000;
/** Timeout of closing, which also calls the server. */
const CLOSED_WITHIN_MS = 3_000;

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
  readonly calls: CallsInProgress;
  /** Time of the last answer. */
  heardMs: number;
  /** Set when the pool was replaced: called after its last call. */
  emptied?: (() => void) | undefined;
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
   * @throws CallGivenUp beside errors of the driver
   */
  async run<Result>(limitMs: number, call: (database: Db) => Promise<Result>): Promise<Result> {
    if (this.#replacing !== undefined) await this.#fresh();
    const pool = this.#pool;
    try {
      const result = await pool.calls.run(limitMs + WAY_MS, () => call(this.target.database(pool.client)));
      pool.heardMs = performance.now();
      return result;
    } catch (error) {
      if (isSuspicious(error) && pool === this.#pool) this.#replace();
      throw error;
    } finally {
      if (pool.calls.count === 0) {
        pool.emptied?.();
        pool.emptied = undefined;
      }
    }
  }

  /** Runs a call that takes longer than connections may be silent, on its own client. */
  async runLong<Result>(limitMs: number, call: (database: Db) => Promise<Result>): Promise<Result> {
    const ownLimitMs = limitMs + WAY_MS;
    const client = await connected(this.target, ownLimitMs);
    try {
      const calls = new CallsInProgress(this.target.name);
      return await calls.run(ownLimitMs, () => call(this.target.database(client)));
    } finally {
      await close(client);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await close(this.#pool.client);
    await this.#replacing;
  }

  /**
   * Resolves when the new client is connected, and soon in any case: an unavailable server accepts none for a while.
   */
  async #fresh(): Promise<void> {
    await within(
      WAY_MS,
      () => this.#replacing ?? Promise.resolve(),
      () => notWithin(this.target.name, WAY_MS),
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
    const calls = new CallsInProgress(this.target.name);
    const pool: Pool = { client, calls, heardMs: -Infinity };
    whenLooksHang(client, true, (sinceMs) => {
      // An unavailable member of a replica set delays no call.
      if (pool === this.#pool && calls.count > 0 && pool.heardMs < sinceMs) this.#replaceNow(true);
    });
    whenCallsHang(client, (closedMs) => calls.giveUpBefore(closedMs));
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
      // The driver ends no call that waits for a lost connection, not even when it is closed.
      if (isLost) before.calls.giveUpBefore(Infinity);
      if (before.calls.count === 0) void close(before.client);
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

async function connected(target: Target, silenceMs?: number): Promise<MongoClient> {
  const client = target.client(silenceMs);
  const lost = new Promise<never>((_, reject) => {
    whenLooksHang(client, false, () => reject(notWithin(target.name, LOOK_LIMIT_MS)));
  });
  try {
    return await within(
      CONNECTED_WITHIN_MS,
      () => Promise.race([client.connect(), lost]),
      () => notWithin(target.name, CONNECTED_WITHIN_MS),
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
