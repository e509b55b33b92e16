import type { Readable } from 'node:stream';
import { EventStoreUnavailable } from '../event-store.js';
import type { Connection } from './connection.js';
import type { Client, DriverEvent, DriverRecord, Position } from './driver.js';
import { Flow, FLOW_OPTIONS } from './flow.js';
import type { Health } from './health.js';
import { Pauses, quietController, rest } from './patience.js';
import { isOwn, troubleOf } from './trouble.js';

/** A reader of `$all` that has not heard of the server for so long gives up. */
const READ_LIMIT_MS = 10_000;

/** One attempt at a page. The client itself would wait for ever. */
const ATTEMPT_LIMIT_MS = 4_000;

/** A server that is well gives a sign of life sooner than that. */
const PROBE_LIMIT_MS = 2_000;

const PAUSE_FIRST_MS = 50;
const PAUSE_MAX_MS = 1_000;

/** A subscription's filter looks at so many events between two checkpoints. */
const CHECKPOINT_EVENTS = 1_024;
/** The server's unit of that, and about a page of its own reading. */
const SEARCH_WINDOW = 128;

export interface PageOptions {
  readonly direction: 'forwards' | 'backwards';
  readonly maxCount: number;
}

const NEVER = quietController().signal;

/** Where a subscription has come to, including what the filter has passed over. */
export interface Progress {
  at: Position | undefined;
}

/** What is asked of the server by reading: bounded, repeated while it is away, and told in the words of the port. */
export class ServerReads {
  constructor(
    private readonly connection: Connection,
    private readonly health: Health,
    private readonly closing: AbortSignal,
  ) {}

  /** A page of one stream, from a revision (inclusive) or from its end; undefined when there is no such stream. */
  async streamPage(
    name: string,
    from: number | 'end',
    { direction, maxCount }: PageOptions,
  ): Promise<readonly DriverRecord[] | undefined> {
    const fromRevision = from === 'end' ? 'end' : BigInt(from);
    return this.persistently(async () => {
      const { client, gone } = await this.connection.current();
      // The leader, since what a follower has not yet heard of looks as if it were not there.
      const options = { fromRevision, direction, maxCount, requiresLeader: true } as const;
      try {
        return records(await collect(readFlow(client.readStream(name, options, FLOW_OPTIONS), gone)));
      } catch (error) {
        if (troubleOf(error) === 'missing') return undefined;
        throw error;
      }
    });
  }

  /** A page of `$all`: forwards from a position (inclusive), backwards from before one or from the end. */
  async allPage(from: Position | 'end', options: PageOptions): Promise<readonly DriverRecord[]> {
    return this.persistently(() => this.allPageOnce(from, options));
  }

  /** The same without patience. @throws what the client throws */
  async allPageOnce(
    from: Position | 'end',
    options: PageOptions,
    limitMs = ATTEMPT_LIMIT_MS,
  ): Promise<readonly DriverRecord[]> {
    const { client, gone } = await this.connection.current();
    const reading = client.readAll({ fromPosition: from, requiresLeader: true, ...options }, FLOW_OPTIONS);
    return records(await collect(readFlow(reading, gone), limitMs));
  }

  /** Asks for a sign of life, once. */
  async probe(): Promise<void> {
    await this.allPageOnce('end', { direction: 'backwards', maxCount: 1 }, PROBE_LIMIT_MS);
  }

  /** All of `$all` after a position, as it is when reading begins. */
  async openAll(after: Position | undefined): Promise<Flow> {
    const { client, gone } = await this.connection.current();
    return readFlow(client.readAll({ fromPosition: after ?? 'start', direction: 'forwards' }, FLOW_OPTIONS), gone);
  }

  /** What of `$all` is and comes after a position, in streams that begin with one of the prefixes. */
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
    return new Flow(asReadable(subscription), () => subscription.unsubscribe(), gone);
  }

  /** Repeats what fails for want of a server, for a bounded time. @throws EventStoreUnavailable */
  async persistently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.health.assertReachable();
    const pauses = new Pauses(PAUSE_FIRST_MS, PAUSE_MAX_MS);
    for (const untilMs = performance.now() + READ_LIMIT_MS; ;) {
      try {
        return await ask();
      } catch (error) {
        this.assertWorthRepeating(error);
        const pauseMs = pauses.next();
        if (performance.now() + pauseMs > untilMs) throw this.health.unavailable(error);
        await rest(pauseMs, this.closing);
        this.health.assertReachable();
      }
    }
  }

  /** Passes on what another attempt would not change. @throws EventStoreUnavailable */
  assertWorthRepeating(error: unknown): void {
    if (isOwn(error)) throw error;
    if (this.closing.aborted) throw new EventStoreUnavailable('The event store is closed.', { cause: error });
    const trouble = troubleOf(error);
    if (trouble === 'lost' || trouble === 'refused') this.health.suspect();
    if (trouble !== 'lost') throw this.health.unavailable(error);
  }
}

function readFlow(reading: ReturnType<Client['readStream']> | ReturnType<Client['readAll']>, gone: AbortSignal): Flow {
  return new Flow(asReadable(reading), () => reading.cancel(), gone);
}

/** The client's interfaces show less than its streams are. */
function asReadable(stream: object): Readable {
  return stream as Readable;
}

async function collect(flow: Flow, limitMs = ATTEMPT_LIMIT_MS): Promise<readonly DriverEvent[]> {
  const events: DriverEvent[] = [];
  try {
    for (;;) {
      const batch = await flow.next(NEVER, limitMs);
      if (batch.length === 0) return events;
      events.push(...batch);
    }
  } finally {
    flow.close();
  }
}

export function records(events: readonly DriverEvent[]): readonly DriverRecord[] {
  const found: DriverRecord[] = [];
  // Links of deleted events have none. We make no links; others may.
  for (const { event } of events) if (event !== undefined) found.push(event);
  return found;
}
