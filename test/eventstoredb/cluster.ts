import { randomUUID } from 'node:crypto';
import { selfSigned } from './certificate.js';
import { notLeader, unavailable } from './errors.js';
import type { Member, Membership } from './gossip.js';
import { EventStoreDbStandIn } from './stand-in.js';
import { Store } from './store.js';

const SIZE = 3;
const MAJORITY = 2;

/** A real cluster takes this long from the loss of its leader to the next one. */
const ELECTION_MS = 2_000;

/** Options of a cluster. */
export interface ClusterOptions {
  /** Time from the loss of the leader to the next one; 2 s by default. */
  readonly electionMs?: number;
  /**
   * Time after an election in which the new leader refuses what only a leader may do, since no follower has joined it;
   * 0 by default.
   */
  readonly inaugurationMs?: number;
  readonly users?: Readonly<Record<string, string>>;
  /** Uses TLS, with a new certificate that is written to this file. */
  readonly tlsCAFile?: string;
}

/**
 * Three nodes with one log. An append to the leader is on all of them at once, as if replicated before its answer. When
 * the leader is killed or frozen, the others keep naming it for a while, then another one leads. A former leader that
 * wakes up follows, and refuses the appends that it had not read yet.
 */
export class EventStoreDbCluster {
  readonly #ids = Array.from({ length: SIZE }, () => randomUUID());
  readonly #store = new Store();
  readonly #down = new Set<number>();
  #nodes: readonly EventStoreDbStandIn[] = [];
  #leader = 0;
  /** Nodes whose absence the others have noticed. */
  readonly #missed = new Set<number>();
  #election: NodeJS.Timeout | undefined;
  /** When the leader began, or will begin, to act as one, by `performance.now()`. */
  #actsFromMs = 0;

  private constructor(
    private readonly electionMs: number,
    private readonly inaugurationMs: number,
  ) {}

  static async start({
    electionMs = ELECTION_MS,
    inaugurationMs = 0,
    ...options
  }: ClusterOptions = {}): Promise<EventStoreDbCluster> {
    const cluster = new EventStoreDbCluster(electionMs, inaugurationMs);
    const identity = selfSigned();
    cluster.#nodes = await Promise.all(
      cluster.#ids.map((_, index) => {
        const member = { membership: cluster.#membershipOf(index), store: cluster.#store, identity };
        return EventStoreDbStandIn.start({ ...options, member });
      }),
    );
    return cluster;
  }

  get nodes(): readonly EventStoreDbStandIn[] {
    return this.#nodes;
  }

  get leader(): EventStoreDbStandIn {
    return this.node(this.#leader);
  }

  node(index: number): EventStoreDbStandIn {
    const node = this.#nodes[index];
    if (node === undefined) throw new RangeError(`A cluster has no node ${index}.`);
    return node;
  }

  /** The followers, whether or not they are running. */
  get followers(): readonly EventStoreDbStandIn[] {
    return this.#nodes.filter((node) => node !== this.leader);
  }

  /** Its connection string, without a user. */
  get url(): string {
    return this.#address('');
  }

  /** Its connection string for a user. */
  urlAs(user: string, password: string): string {
    return this.#address(`${encodeURIComponent(user)}:${encodeURIComponent(password)}@`);
  }

  get eventCount(): number {
    return this.node(0).eventCount;
  }

  /**
   * Freezes a node like SIGSTOP. With `afterAppends` it first stores this many appends, and does not answer the last
   * one.
   */
  freeze(node: EventStoreDbStandIn, { afterAppends = 0 } = {}): void {
    const freeze = (): void => {
      node.freeze();
      this.#lose(node);
    };
    if (afterAppends > 0) node.faults.freezeAfterAppends(afterAppends, freeze);
    else freeze();
  }

  thaw(node: EventStoreDbStandIn): void {
    this.#return(node);
    node.thaw();
  }

  async kill(node: EventStoreDbStandIn): Promise<void> {
    this.#lose(node);
    await node.stop();
  }

  async revive(node: EventStoreDbStandIn): Promise<void> {
    this.#return(node);
    await node.resume();
  }

  /** The leader steps down, and another node leads at once. */
  resign(): void {
    this.#elect([this.#leader]);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#election);
    for (const node of this.#nodes) {
      node.thaw();
      await node.stop();
    }
  }

  #address(login: string): string {
    const [, query = ''] = this.node(0).url.split('?');
    return `esdb://${login}${this.#nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}?${query}`;
  }

  #lose(node: EventStoreDbStandIn): void {
    this.#down.add(this.#nodes.indexOf(node));
    clearTimeout(this.#election);
    this.#election = setTimeout(() => this.#notice(), this.electionMs).unref();
  }

  #return(node: EventStoreDbStandIn): void {
    const index = this.#nodes.indexOf(node);
    this.#down.delete(index);
    this.#missed.delete(index);
    if (this.#missed.has(this.#leader)) this.#notice();
  }

  #notice(): void {
    for (const index of this.#down) this.#missed.add(index);
    if (this.#missed.has(this.#leader)) this.#elect([]);
  }

  #elect(besides: readonly number[]): void {
    const candidates = this.#nodes.map((_, index) => index).filter((index) => !this.#missed.has(index));
    if (candidates.length < MAJORITY) return;
    // A new leader writes its own record, and does not recognise retries without a revision.
    this.#store.restarted();
    this.#leader = candidates.find((index) => !besides.includes(index)) ?? this.#leader;
    this.#actsFromMs = performance.now() + this.inaugurationMs;
  }

  get #hasMajority(): boolean {
    return SIZE - this.#missed.size >= MAJORITY;
  }

  #membershipOf(self: number): Membership {
    return {
      refusal: (requiresLeader) => {
        if (!this.#hasMajority) return unavailable();
        const isLeader = self === this.#leader && performance.now() >= this.#actsFromMs;
        return requiresLeader && !isLeader ? notLeader('127.0.0.1', this.leader.port) : undefined;
      },
      members: () =>
        this.#nodes.map(({ port }, index) => ({
          id: this.#ids[index] ?? '',
          port,
          state: this.#stateOf(index),
          isAlive: !this.#missed.has(index),
        })),
    };
  }

  #stateOf(index: number): Member['state'] {
    if (!this.#hasMajority) return 'unknown';
    return index === this.#leader ? 'leader' : 'follower';
  }
}
