import { EventStoreDbRelay } from '../eventstoredb/index.js';
import { MongoProxy, Tails } from '../mongodb/index.js';
import { logCall, mongoCall, type Call } from './calls.js';

export interface TracedAddresses {
  readonly eventStoreUrl: string;
  readonly readStoreUrl: string;
  /** Whether the read store is FerretDB, in a new folder, and shall be used in the way of a MongoDB. */
  readonly asMongo?: boolean;
  /** Whether it shall look like MongoDB 8.0, or like an earlier one. */
  readonly bulkWrites?: boolean;
}

/** The two stores behind proxies, two for each process, which delay and record the calls. */
export class TracedStores {
  /** In the order in which they ended. */
  readonly calls: Call[] = [];
  readonly #proxies = new Map<string, { readonly log: EventStoreDbRelay; readonly readStore: MongoProxy }>();

  static async start(
    { eventStoreUrl, readStoreUrl, asMongo = false, bulkWrites }: TracedAddresses,
    processes: readonly string[],
  ): Promise<TracedStores> {
    const stores = new TracedStores();
    const tails = asMongo ? new Tails() : undefined;
    for (const process of processes) {
      stores.#proxies.set(process, {
        log: await EventStoreDbRelay.start(eventStoreUrl, {
          observe: (call) => stores.calls.push(logCall(process, call)),
        }),
        readStore: await MongoProxy.start(readStoreUrl, {
          ...(tails !== undefined && { tails }),
          ...(bulkWrites !== undefined && { bulkWrites }),
          observe: (command) => {
            const call = mongoCall(process, command);
            if (call !== undefined) stores.calls.push(call);
          },
        }),
      });
    }
    return stores;
  }

  /** Settings that lead a process to the stores. */
  environmentOf(process: string): Record<string, string> {
    const { log, readStore } = this.#proxies.get(process) ?? {};
    if (log === undefined || readStore === undefined) throw new RangeError(`No proxies were started for ${process}.`);
    return { EVENT_STORE_URL: log.url, READ_STORE_URL: readStore.url };
  }

  /** From now on each message takes this long, each way. */
  delay(ms: number): void {
    for (const { log, readStore } of this.#proxies.values()) log.delayMs = readStore.delayMs = ms;
  }

  async stop(): Promise<void> {
    for (const { log, readStore } of this.#proxies.values()) await Promise.all([log.stop(), readStore.stop()]);
  }
}
