import type { Endpoint, ServerAddress } from './address.js';
import { guardAppends } from './append-stream.js';
import { useOwnConnections } from './channel-credentials.js';
import { type Client, type Driver, type Gossip, loadDriver, loadGossip, partsOf } from './driver.js';
import { LeaderSearch } from './leader-search.js';
import { quietController } from './running-time.js';

/** Time given to a client to end its streams before it is abandoned. */
const DISPOSE_LIMIT_MS = 500;

/** A cluster elects a leader in about 2 s. A search that fails is repeated with new connections. */
const SEARCH_LIMIT_MS = 3_000;

/** A client, and a signal that aborts when the client is abandoned: its calls end then, some without an error. */
export interface Current {
  readonly client: Client;
  readonly gone: AbortSignal;
}

/**
 * Owns the one client of a store, connected to the single node or to the cluster's leader. Two clients never append at
 * the same time: a stream error of one client rejects the pending appends of all clients in the process. A client is
 * therefore abandoned, and its streams have ended, before the next one is used.
 */
export class Connection {
  readonly #closing = quietController();
  #current: { readonly client: Client; readonly gone: AbortController } | undefined;
  #connecting: Promise<Current> | undefined;
  #leaving: Promise<void> = Promise.resolve();
  /** Nodes of the cluster, as reported when the leader was last found. */
  #nodes: readonly Endpoint[] = [];

  private constructor(
    readonly driver: Driver,
    private readonly gossip: Gossip,
    private readonly address: ServerAddress,
  ) {}

  /**
   * Creates the connection; it connects on first use.
   * @throws TypeError when the client cannot use the address, or a file named in it
   */
  static async open(address: ServerAddress): Promise<Connection> {
    const [driver, gossip] = await Promise.all([loadDriver(), loadGossip()]);
    try {
      driver.EventStoreDBClient.connectionString(address.connectionString(address.seeds[0]));
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'no reason given';
      // eslint-disable-next-line preserve-caught-error -- the client's error carries the whole address, so it goes no further
      throw new TypeError(`The event store's address cannot be used: ${reason}`);
    }
    return new Connection(driver, gossip, address);
  }

  /** Whether it is connected to the leader of a cluster, which can change. */
  get isCluster(): boolean {
    return this.address.isCluster;
  }

  /**
   * Returns the client to use now; callers must not keep it.
   * @throws NoLeader when the cluster has none for 3 s
   */
  async current(): Promise<Current> {
    if (this.#current !== undefined) return { client: this.#current.client, gone: this.#current.gone.signal };
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  /**
   * Abandons a client: its calls fail, and the next call uses a new client, connected to the node that leads then.
   * @returns false when the client had already been abandoned
   */
  leave(client: Client): boolean {
    if (client !== this.#current?.client) return false;
    this.#current.gone.abort();
    this.#current = undefined;
    this.#leaving = dispose(client);
    return true;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connecting?.catch(() => undefined);
    if (this.#current !== undefined) this.leave(this.#current.client);
    await this.#leaving;
  }

  async #connect(): Promise<Current> {
    // A search only asks for gossip, so it need not wait until a client of a silent node has ended.
    const finding = this.isCluster ? this.#findLeader() : this.#clientOf(this.address.seeds[0]);
    const [client] = await Promise.all([finding, this.#leaving]);
    const gone = quietController();
    this.#current = { client, gone };
    return { client, gone: gone.signal };
  }

  async #findLeader(): Promise<Client> {
    const clients = { connect: (node: Endpoint) => this.#clientOf(node), dispose };
    const search = new LeaderSearch(this.gossip, clients);
    const nodes = [...this.address.seeds, ...this.#nodes];
    const found = await search.run(nodes, SEARCH_LIMIT_MS, this.#closing.signal);
    this.#nodes = found.nodes;
    return found.client;
  }

  async #clientOf(node: Endpoint): Promise<Client> {
    const client = this.driver.EventStoreDBClient.connectionString(this.address.connectionString(node));
    guardAppends(client);
    await useOwnConnections(client);
    return client;
  }
}

async function dispose(client: Client): Promise<void> {
  // Disposal may never end. The timer is not unreferenced, so that a process with nothing else to do still waits for
  // the rest.
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, DISPOSE_LIMIT_MS);
  });
  try {
    await Promise.race([client.dispose(), limit]);
    // Disposal leaves the client's channel open, and its sockets with it.
    const getting = partsOf(client).getChannel();
    const channel = await Promise.race([getting.catch(() => undefined), limit]);
    channel?.close();
  } finally {
    clearTimeout(timer);
  }
}
