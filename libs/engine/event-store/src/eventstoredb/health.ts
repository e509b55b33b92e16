import { Backoff, sleep } from '#kernel';
import { EventStoreUnavailable } from '../event-store.js';
import type { Connection } from './connection.js';
import type { Client } from './driver.js';
import { quietController } from './running-time.js';
import { NoAnswer, reasonOf, troubleOf } from './trouble.js';

const PROBE_PAUSE_FIRST_MS = 100;
const PROBE_PAUSE_MAX_MS = 1_000;

/** A new leader refuses calls until a majority has joined it, and is asked this often meanwhile. */
const NEW_LEADER_PAUSE_MS = 150;
/** A cluster that has no leader for this long is not in an election. */
const NEW_LEADER_LIMIT_MS = 15_000;

/**
 * Failed probes before the server counts as unavailable. A connection that breaks once is repaired before anybody needs
 * to know.
 */
const FAILED_PROBES_MIN = 2;

/** A cluster that lost its leader elects another in about 2 s. Requests wait that long before they are refused. */
const ELECTION_LIMIT_MS = 2_500;

/** Failed probes after which the client of a single node is replaced: it may have cached a failure that is over. */
const FAILED_PROBES_OF_A_CLIENT = 4;

/** Without an append or an event for so long, nobody is at work. */
const QUIET_AFTER_MS = 10_000;

/** Time for which a denied append counts as a failure, since a read probe would not show it. */
const DENIAL_MS = 5_000;

export interface HealthOptions {
  /** Cheap probe of the server, by an empty append when `mustWrite`; throws when the server is not healthy. */
  readonly probe: (mustWrite: boolean) => Promise<void>;
  /** Whether the store has appended since its start, and may therefore append. */
  readonly hasAppended: () => boolean;
  /**
   * The connection to abandon when it fails, so that the next call starts over: in a cluster, with the search for the
   * leader.
   */
  readonly connection: Pick<Connection, 'current' | 'leave' | 'isCluster'>;
  /** Hosts of the server, for messages. */
  readonly hosts: string;
  readonly onFailure: (failure: EventStoreUnavailable) => void;
  readonly onRecovery: () => void;
}

/**
 * Tracks whether the server is available. A caller that meets an error reports it; from then on the server is probed
 * until it is healthy.
 */
export class Health {
  readonly #closing = quietController();
  #failure: EventStoreUnavailable | undefined;
  #denial: { readonly failure: EventStoreUnavailable; readonly untilMs: number } | undefined;
  /** Aborted when the failure is over. */
  #recovery = quietController();
  /** Aborted when a server that failed a probe is well. */
  #return = quietController();
  #isWatching = false;
  #mustWrite = false;
  #heardMs = -Infinity;
  #workedMs = performance.now();
  #watch: Promise<void> = Promise.resolve();

  constructor(private readonly options: HealthOptions) {}

  get failure(): EventStoreUnavailable | undefined {
    if (this.#failure !== undefined) return this.#failure;
    return this.#denial !== undefined && performance.now() < this.#denial.untilMs ? this.#denial.failure : undefined;
  }

  /** Whether an error was reported and the server is being probed. */
  get isWatching(): boolean {
    return this.#isWatching;
  }

  /** Milliseconds since the server last answered. */
  get silentMs(): number {
    return performance.now() - this.#heardMs;
  }

  /** Whether nothing was appended, and no event arrived, for a while. */
  get isQuiet(): boolean {
    return performance.now() - this.#workedMs > QUIET_AFTER_MS;
  }

  /** Records that the server has answered. */
  heard(): void {
    this.#heardMs = performance.now();
  }

  /** Records that the server has stored an append, or sent events. */
  worked(): void {
    this.#heardMs = this.#workedMs = performance.now();
  }

  /** Throws when the server is known to be unavailable. A denied append does not count: the next one may be allowed. */
  assertReachable(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Waits while the server is known to be unavailable, until a deadline by `performance.now()`. */
  async reachable(untilMs: number): Promise<void> {
    const leftMs = untilMs - performance.now();
    if (this.#failure !== undefined && leftMs > 0) await sleep(leftMs, this.#recovery.signal);
  }

  /** Pauses before a call is repeated. The pause ends when the server is back after it failed a probe. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(ms, AbortSignal.any([signal, this.#return.signal]));
  }

  /** Reports that the server could not be reached, or that a call broke off. */
  suspect(): void {
    if (this.#isWatching || this.#closing.signal.aborted) return;
    this.#isWatching = true;
    this.#watch = this.#watchUntilWell();
  }

  /**
   * Reports that a call timed out and its client was abandoned. The server counts as unavailable at once, until a probe
   * succeeds. After an append without an answer, the probe must be an append; in a store that appends it is one in any
   * case, since a leader that was elected a moment ago answers reads before it takes appends.
   */
  silent(error: NoAnswer, asked: 'append' | 'read'): void {
    this.#mustWrite ||= asked === 'append' || this.options.hasAppended();
    if (!this.#closing.signal.aborted) this.#fail(this.unavailable(error));
    this.suspect();
  }

  /** Reports that the server denied access. */
  denied(error: unknown): EventStoreUnavailable {
    const failure = this.unavailable(error);
    const isNew = this.failure === undefined;
    this.#denial = { failure, untilMs: performance.now() + DENIAL_MS };
    if (isNew) this.options.onFailure(failure);
    return failure;
  }

  /** Maps an error to the one that callers of the port get. */
  unavailable(error: unknown): EventStoreUnavailable {
    const text = `The event store at ${this.options.hosts} is not available: ${reasonOf(error)}.`;
    return new EventStoreUnavailable(text, { cause: error });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#recovery.abort();
    await this.#watch;
  }

  async #watchUntilWell(): Promise<void> {
    const { signal } = this.#closing;
    const { connection, probe } = this.options;
    const backoff = new Backoff(PROBE_PAUSE_FIRST_MS, PROBE_PAUSE_MAX_MS);
    const sinceMs = performance.now();
    let failed = 1;
    for (; !signal.aborted; failed++) {
      let client: Client | undefined;
      try {
        ({ client } = await connection.current());
        await probe(this.#mustWrite);
        break;
      } catch (error) {
        if (this.#isAway(error, failed, performance.now() - sinceMs)) this.#fail(this.unavailable(error));
        if (client !== undefined && this.#isAfreshBetter(error, failed)) connection.leave(client);
      }
      const isElecting = connection.isCluster && performance.now() - sinceMs < NEW_LEADER_LIMIT_MS;
      await sleep(isElecting ? NEW_LEADER_PAUSE_MS : backoff.next(), signal);
    }
    this.#isWatching = this.#mustWrite = false;
    // When the first probe succeeds, what failed was the call itself, and its pauses must grow.
    if (failed > 1) {
      this.#return.abort();
      this.#return = quietController();
    }
    if (this.#failure === undefined || signal.aborted) return;
    this.#failure = undefined;
    this.#recovery.abort();
    this.options.onRecovery();
  }

  #isAway(error: unknown, failed: number, elapsedMs: number): boolean {
    if (error instanceof NoAnswer) return true;
    if (this.options.connection.isCluster && troubleOf(error) === 'lost') return elapsedMs > ELECTION_LIMIT_MS;
    return failed >= FAILED_PROBES_MIN;
  }

  #isAfreshBetter(error: unknown, failed: number): boolean {
    return this.options.connection.isCluster || error instanceof NoAnswer || failed % FAILED_PROBES_OF_A_CLIENT === 0;
  }

  #fail(failure: EventStoreUnavailable): void {
    const isNew = this.#failure === undefined;
    this.#failure = failure;
    if (!isNew) return;
    this.#recovery = quietController();
    this.options.onFailure(failure);
  }
}
