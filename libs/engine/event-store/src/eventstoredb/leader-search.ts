import { sleep } from '#kernel';
import type { Endpoint } from './address.js';
import { type Client, type Gossip, type MemberInfo, partsOf } from './driver.js';
import { quietController } from './running-time.js';
import { NoLeader } from './trouble.js';

/** Timeout of a question. A healthy node answers sooner. */
const ANSWER_LIMIT_MS = 1_000;

/** Pause before a node is asked again: an election takes seconds, and an answer costs little. */
const ASK_EVERY_MS = 100;

/** A node is asked again without its last answer after this time, since a question may come to it in its election. */
const ASK_ANYWAY_MS = 250;

/** Maximum nodes to ask: clusters have three or five, and perhaps some read-only replicas. */
const NODES_MAX = 32;

/** Creates and disposes the clients of a search. */
export interface Clients {
  connect(node: Endpoint): Promise<Client>;
  dispose(client: Client): Promise<void>;
}

/** Client of the leading node, and the nodes of its cluster for the next search. */
export interface FoundLeader {
  readonly client: Client;
  readonly nodes: readonly Endpoint[];
}

/**
 * Asks all nodes of a cluster in parallel, repeatedly, which of them leads. Only a node that reports itself as the
 * leader is accepted: what others report about a frozen or unreachable node can be some seconds old.
 */
export class LeaderSearch {
  readonly #over = quietController();
  readonly #nodes = new Map<string, Endpoint>();
  readonly #clients = new Set<Client>();
  #found: Client | undefined;
  #hasAnswer = false;
  #failure: unknown;

  constructor(
    private readonly gossip: Gossip,
    private readonly clients: Clients,
  ) {}

  /**
   * Runs the search; can be called once.
   * @throws NoLeader when no node leads within the limit, or when the signal aborts
   */
  async run(nodes: readonly Endpoint[], limitMs: number, signal: AbortSignal): Promise<FoundLeader> {
    for (const node of nodes) this.#include(node);
    await sleep(limitMs, AbortSignal.any([signal, this.#over.signal]));
    this.#over.abort();
    const others = [...this.#clients].filter((client) => client !== this.#found);
    await Promise.all(others.map((client) => this.clients.dispose(client)));
    if (this.#found === undefined) throw new NoLeader(this.#hasAnswer ? undefined : this.#failure);
    return { client: this.#found, nodes: [...this.#nodes.values()] };
  }

  #include(node: Endpoint): void {
    const name = nameOf(node);
    if (this.#nodes.has(name) || this.#nodes.size >= NODES_MAX) return;
    this.#nodes.set(name, node);
    void this.#ask(node);
  }

  async #ask(node: Endpoint): Promise<void> {
    const { signal } = this.#over;
    try {
      const client = await this.clients.connect(node);
      this.#clients.add(client);
      while (!signal.aborted) {
        const asked = this.#leads(client, node).then((leads) => {
          if (leads) this.#decide(client);
        });
        await Promise.race([asked, sleep(ASK_ANYWAY_MS, signal)]);
        await sleep(ASK_EVERY_MS, signal);
      }
    } catch (error) {
      // For example, a file named in the address is missing at the moment.
      this.#failure = error;
    }
  }

  #decide(client: Client): void {
    if (this.#over.signal.aborted) return;
    this.#found = client;
    this.#over.abort();
  }

  /** Whether a node reports itself as the leader. The other nodes that it reports join the search. */
  async #leads(client: Client, node: Endpoint): Promise<boolean> {
    try {
      const members = await this.#membersAt(client);
      this.#hasAnswer = true;
      const reachable = members.map((member) => ({ member, at: endpointOf(member) })).filter(({ at }) => at.port > 0);
      if (!this.#over.signal.aborted) for (const { at } of reachable) this.#include(at);
      return reachable.some(({ member, at }) => nameOf(at) === nameOf(node) && this.#isLeader(member));
    } catch (error) {
      // An error caused by the end of the search is not its reason.
      if (!this.#over.signal.aborted) this.#failure = error;
      return false;
    }
  }

  #isLeader(member: MemberInfo): boolean {
    return member.getIsAlive() && member.getState() === this.gossip.leader;
  }

  #membersAt(client: Client): Promise<readonly MemberInfo[]> {
    const parts = partsOf(client);
    return parts.execute(
      this.gossip.stub,
      'gossip',
      (stub) =>
        new Promise((resolve, reject) => {
          const [metadata, options] = parts.callArguments({ deadline: ANSWER_LIMIT_MS });
          stub.read(new this.gossip.request(), metadata, options, (error, info) => {
            if (error !== null || info === undefined) reject(error ?? new Error('An empty answer.'));
            else resolve(info.getMembersList());
          });
        }),
    );
  }
}

function endpointOf(member: MemberInfo): Endpoint {
  const at = member.getHttpEndPoint();
  return { address: at?.getAddress() ?? '', port: at?.getPort() ?? 0 };
}

function nameOf({ address, port }: Endpoint): string {
  return `${address}:${port}`;
}
