import type { Readable } from 'node:stream';
import { Backoff } from '#kernel';
import { EventStoreUnavailable } from '../event-store.js';
import type { Connection } from './connection.js';
import type { Client, DriverEvent, DriverRecord, Position } from './driver.js';
import { Flow, FLOW_OPTIONS } from './flow.js';
import type { Health } from './health.js';
import { quietController } from './running-time.js';
import { isOwn, troubleOf } from './trouble.js';

/** Timeout of a reader of `$all` that receives nothing from the server. */
const READ_LIMIT_MS = 10_000;

/** Timeout of one attempt at a page. The client itself has none. */
const ATTEMPT_LIMIT_MS = 4_000;

/** Timeout of a probe. */
const PROBE_LIMIT_MS = 2_000;

const PAUSE_FIRST_MS = 50;
const PAUSE_MAX_MS = 1_000;

/** Events that a subscription's filter examines between two checkpoints. */
const CHECKPOINT_EVENTS = 1_024;
/** The server's unit for that count, about one page of its own reads. */
const SEARCH_WINDOW = 128;

export interface PageOptions {
  readonly direction: 'forwards' | 'backwards';
  readonly maxCount: number;
}

const NEVER = quietController().signal;

/** Progress of a subscription, including events that the filter has passed over. */
export interface Progress {
  at: Position | undefined;
}

/** Reads from the server: bounded, retried while the server is unavailable, with errors of the port. */
export class ServerReads {
  constructor(
    private readonly connection: Connection,
    private readonly health: Health,
    private readonly closing: AbortSignal,
  ) {}

  /**
   * Reads a page of one stream, from a revision (inclusive) or from its end; undefined when the stream does not exist.
   */
  async streamPage(
    name: string,
    from: number | 'end',
    { direction, maxCount }: PageOptions,
  ): Promise<readonly DriverRecord[] | undefined> {
    const fromRevision = from === 'end' ? 'end' : BigInt(from);
    return this.persistently(async () => {
      const { client, gone } = await this.connection.current();
      // Reads from the leader, because a follower may not have the latest events.
      const options = { fromRevision, direction, maxCount, requiresLeader: true } as const;
      try {
        return records(await this.#collect(this.#flow(client.readStream(name, options, FLOW_OPTIONS), gone)));
      } catch (error) {
        if (troubleOf(error) === 'missing') return undefined;
        throw error;
      }
    });
  }

  /** Reads a page of `$all`: forwards from a position (inclusive), backwards from before a position or from the end. */
  async allPage(from: Position | 'end', options: PageOptions): Promise<readonly DriverRecord[]> {
    return this.persistently(() => this.allPageOnce(from, options));
  }

  /**
   * Reads a page of the log in one attempt, without retries.
   * @throws errors of the client
   */
  async allPageOnce(
    from: Position | 'end',
    options: PageOptions,
    limitMs = ATTEMPT_LIMIT_MS,
  ): Promise<readonly DriverRecord[]> {
    const { client, gone } = await this.connection.current();
    const reading = client.readAll({ fromPosition: from, requiresLeader: true, ...options }, FLOW_OPTIONS);
    return records(await this.#collect(this.#flow(reading, gone), limitMs));
  }

  /** Probes the server once. */
  async probe(limitMs = PROBE_LIMIT_MS): Promise<void> {
    await this.allPageOnce('end', { direction: 'backwards', maxCount: 1 }, limitMs);
  }

  /** Reads all of `$all` after a position, up to the end at the time of the call. */
  async openAll(after: Position | undefined): Promise<Flow> {
    const { client, gone } = await this.connection.current();
    return this.#flow(client.readAll({ fromPosition: after ?? 'start', direction: 'forwards' }, FLOW_OPTIONS), gone);
  }

  /** Subscribes to `$all` after a position, filtered by stream prefixes. */
  async openSubscription(prefixes: readonly string[], after: Position | undefined, passed: Progress): Promise<Flow> {
    const { client, gone } = await this.connection.current();
    const filter = this.connection.driver.streamNameFilter({
      prefixes: [...prefixes],
      maxSearchWindow: SEARCH_WINDOW,
      checkpointInterval: CHECKPOINT_EVENTS / SEARCH_WINDOW,
      checkpointReached: (_subscription, position) => {
        passed.at = position;
      },
    });
    const subscription = client.subscribeToAll({ fromPosition: after ?? 'start', filter }, FLOW_OPTIONS);
    return new Flow(asReadable(subscription), () => subscription.unsubscribe(), gone, this.#worked);
  }

  /**
   * Retries while the server is unavailable, for a bounded time.
   * @throws EventStoreUnavailable
   */
  async persistently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.health.assertReachable();
    const backoff = new Backoff(PAUSE_FIRST_MS, PAUSE_MAX_MS);
    for (const untilMs = performance.now() + READ_LIMIT_MS; ;) {
      try {
        return await ask();
      } catch (error) {
        this.assertWorthRepeating(error);
        const pauseMs = backoff.next();
        if (performance.now() + pauseMs > untilMs) throw this.health.unavailable(error);
        await this.health.pause(pauseMs, this.closing);
        this.health.assertReachable();
      }
    }
  }

  /**
   * Rethrows errors for which a retry is pointless.
   * @throws EventStoreUnavailable
   */
  assertWorthRepeating(error: unknown): void {
    if (isOwn(error)) throw error;
    if (this.closing.aborted) throw new EventStoreUnavailable('The event store is closed.', { cause: error });
    const trouble = troubleOf(error);
    if (trouble === 'lost' || trouble === 'refused') this.health.suspect();
    if (trouble !== 'lost') throw this.health.unavailable(error);
  }

  #flow(reading: ReturnType<Client['readStream']> | ReturnType<Client['readAll']>, gone: AbortSignal): Flow {
    return new Flow(asReadable(reading), () => reading.cancel(), gone, this.#heard);
  }

  async #collect(flow: Flow, limitMs = ATTEMPT_LIMIT_MS): Promise<readonly DriverEvent[]> {
    const events: DriverEvent[] = [];
    try {
      for (;;) {
        const batch = await flow.next(NEVER, limitMs);
        if (batch.length === 0) break;
        events.push(...batch);
      }
      // An empty answer is a sign of life, too.
      this.#heard();
      return events;
    } finally {
      flow.close();
    }
  }

  readonly #heard = (): void => this.health.heard();

  readonly #worked = (): void => this.health.worked();
}

/** The client's types hide that its streams are readable streams. */
function asReadable(stream: object): Readable {
  return stream as Readable;
}

export function records(events: readonly DriverEvent[]): readonly DriverRecord[] {
  const found: DriverRecord[] = [];
  // Links to deleted events have no event. This program makes no links; others on the server may.
  for (const { event } of events) if (event !== undefined) found.push(event);
  return found;
}
