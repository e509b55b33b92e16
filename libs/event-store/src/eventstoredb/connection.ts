import type { ServerAddress } from './address.js';
import { type Client, type Driver, loadDriver } from './driver.js';
import { quietController } from './patience.js';

/** What a client is given to end its streams, before it is left behind. */
const DISPOSE_LIMIT_MS = 500;

/** A client, and the signal that it has been left behind: its calls end then, some of them without a word. */
export interface Current {
  readonly client: Client;
  readonly gone: AbortSignal;
}

/**
 * The one client of a store. There are never two at a time: a stream error of one client rejects the pending appends of
 * all in the process, and an answer that then comes for one of those would end the process.
 */
export class Connection {
  #client: Client;
  #gone = quietController();
  #renewing: Promise<void> | undefined;

  private constructor(
    readonly driver: Driver,
    private readonly address: ServerAddress,
  ) {
    this.#client = this.#connect();
  }

  /** Makes a client; it connects when it is first used. @throws TypeError when it cannot use the address, or a file named there */
  static async open(address: ServerAddress): Promise<Connection> {
    const driver = await loadDriver();
    try {
      return new Connection(driver, address);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'no reason given';
      // eslint-disable-next-line preserve-caught-error -- the client's error carries the whole address, so it goes no further
      throw new TypeError(`The event store's address cannot be used: ${reason}`);
    }
  }

  /** The client to use now. It is not to be kept. */
  async current(): Promise<Current> {
    await this.#renewing;
    return { client: this.#client, gone: this.#gone.signal };
  }

  /** Replaces a client, unless it has been replaced already. What it had under way fails. */
  async renew(client: Client): Promise<void> {
    if (client !== this.#client) return;
    this.#renewing ??= this.#replace().finally(() => (this.#renewing = undefined));
    await this.#renewing;
  }

  async close(): Promise<void> {
    await this.#renewing;
    this.#gone.abort();
    await dispose(this.#client);
  }

  async #replace(): Promise<void> {
    const fresh = this.#connect();
    this.#gone.abort();
    await dispose(this.#client);
    this.#gone = quietController();
    this.#client = fresh;
  }

  #connect(): Client {
    return this.driver.EventStoreDBClient.connectionString(this.address.connectionString);
  }
}

async function dispose(client: Client): Promise<void> {
  // It may never be done; and a process that has nothing else to do must still wait for the rest.
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, DISPOSE_LIMIT_MS);
  });
  try {
    await Promise.race([client.dispose(), limit]);
    // It leaves its channel open, and its sockets with it.
    const { getChannel } = client as unknown as { getChannel: () => Promise<{ close: () => void }> };
    const channel = await Promise.race([getChannel().catch(() => undefined), limit]);
    channel?.close();
  } finally {
    clearTimeout(timer);
  }
}
