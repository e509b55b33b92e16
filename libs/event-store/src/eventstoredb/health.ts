import { EventStoreUnavailable } from '../event-store.js';
import { Pauses, rest } from './patience.js';
import { reasonOf } from './trouble.js';

const PROBE_PAUSE_FIRST_MS = 100;
const PROBE_PAUSE_MAX_MS = 1_000;

/** A connection that breaks once is mended before anybody needs to know; when a second look fails, the server is away. */
const FAILED_PROBES_MIN = 2;

/** A client that has failed so often is replaced: it may have remembered a failure that is over. */
const FAILED_PROBES_OF_A_CLIENT = 4;

/** For so long a denied append counts, since asking by reading would not show it. */
const DENIAL_MS = 5_000;

export interface HealthOptions {
  /** Asks the server something cheap; throws when it is not well. */
  readonly probe: () => Promise<void>;
  /** Begins again with a new client. */
  readonly renew: () => Promise<void>;
  /** Of the server, for messages. */
  readonly hosts: string;
  readonly onFailure: (failure: EventStoreUnavailable) => void;
  readonly onRecovery: () => void;
}

/** Whether the server is there. Whoever meets an error says so; from then on it is asked again and again until it is well. */
export class Health {
  readonly #closing = new AbortController();
  #failure: EventStoreUnavailable | undefined;
  #denial: { readonly failure: EventStoreUnavailable; readonly untilMs: number } | undefined;
  #isWatching = false;
  #watch: Promise<void> = Promise.resolve();

  constructor(private readonly options: HealthOptions) {}

  get failure(): EventStoreUnavailable | undefined {
    if (this.#failure !== undefined) return this.#failure;
    return this.#denial !== undefined && performance.now() < this.#denial.untilMs ? this.#denial.failure : undefined;
  }

  /** The server is known to be away. An append that was denied does not count: the next one may be allowed. */
  assertReachable(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The server could not be reached, or did not answer. */
  suspect(): void {
    if (this.#isWatching || this.#closing.signal.aborted) return;
    this.#isWatching = true;
    this.#watch = this.#watchUntilWell();
  }

  /** The server refused us. */
  denied(error: unknown): EventStoreUnavailable {
    const failure = this.unavailable(error);
    const isNew = this.failure === undefined;
    this.#denial = { failure, untilMs: performance.now() + DENIAL_MS };
    if (isNew) this.options.onFailure(failure);
    return failure;
  }

  /** An error as callers of the port get it. */
  unavailable(error: unknown): EventStoreUnavailable {
    const text = `The event store at ${this.options.hosts} is not available: ${reasonOf(error)}.`;
    return new EventStoreUnavailable(text, { cause: error });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#watch;
  }

  async #watchUntilWell(): Promise<void> {
    const { signal } = this.#closing;
    const pauses = new Pauses(PROBE_PAUSE_FIRST_MS, PROBE_PAUSE_MAX_MS);
    for (let failed = 1; !signal.aborted; failed++) {
      try {
        await this.options.probe();
        break;
      } catch (error) {
        if (failed >= FAILED_PROBES_MIN) this.#fail(this.unavailable(error));
        if (failed % FAILED_PROBES_OF_A_CLIENT === 0) await this.#renew();
      }
      await rest(pauses.next(), signal);
    }
    this.#isWatching = false;
    if (this.#failure === undefined || signal.aborted) return;
    this.#failure = undefined;
    this.options.onRecovery();
  }

  async #renew(): Promise<void> {
    try {
      await this.options.renew();
    } catch (error) {
      // The old client goes on; a certificate may be in the middle of being replaced.
      this.#fail(this.unavailable(error));
    }
  }

  #fail(failure: EventStoreUnavailable): void {
    const isNew = this.#failure === undefined;
    this.#failure = failure;
    if (isNew) this.options.onFailure(failure);
  }
}
