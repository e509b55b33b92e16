import {
  type Appended,
  type Checkpoint,
  DamagedRecord,
  EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  type NewEvent,
  type ReadAllOptions,
  type ReadStreamOptions,
  type Recorded,
  type SubscribeOptions,
} from '../event-store.js';
import { prepareEvent } from '../prepared-event.js';
import type { EventRegistry } from '../registry.js';
import { assertStreamName } from '../stream-name.js';
import { streams } from '../streams.js';
import { parseAddress } from './address.js';
import { type AppendCounters, Appends } from './appends.js';
import { Connection } from './connection.js';
import type { DriverRecord } from './driver.js';
import { Health } from './health.js';
import { LogHead } from './log-head.js';
import { LogReader, type Wanted } from './log-reader.js';
import { Pauses, quietController, rest } from './patience.js';
import { assertMetadata, checkpointOf, resumePoint, toRecorded } from './record.js';
import { Sender } from './sender.js';
import { ServerReads } from './server-reads.js';
import { lastRevision } from './stream-tail.js';
import { troubleOf } from './trouble.js';

/** How long the start waits for a server that is not there yet. */
const START_LIMIT_MS = 5_000;
const START_PAUSE_FIRST_MS = 50;
const START_PAUSE_MAX_MS = 500;

export interface EventStoreDbOptions {
  /** Stands before the name of each stream on the server, so that several installations can share one. Nothing by default. */
  readonly namespace?: string;
  /** Told when the server is away, once for each time. */
  readonly onFailure?: (failure: EventStoreUnavailable) => void;
  /** Told when it is back. */
  readonly onRecovery?: () => void;
}

/**
 * The event log on an EventStoreDB (KurrentDB) server or cluster. Positions are commit positions. Of all that is on the
 * server, the streams of our prefix are the log.
 */
export class EventStoreDbEventStore extends EventStore {
  readonly #closing = quietController();
  readonly #health: Health;
  readonly #reads: ServerReads;
  readonly #appends: Appends;
  readonly #head: LogHead;
  readonly #log: LogReader;
  readonly #namespace: string;
  readonly #prefix: string;
  #closed: Promise<void> | undefined;

  private constructor(
    private readonly connection: Connection,
    private readonly registry: EventRegistry,
    hosts: string,
    { namespace = '', onFailure = () => undefined, onRecovery = () => undefined }: EventStoreDbOptions,
  ) {
    super();
    const closing = this.#closing.signal;
    this.#prefix = namespace + streams.prefix;
    this.#health = new Health({
      hosts,
      onFailure,
      onRecovery,
      probe: () => this.#reads.probe(),
      renew: async () => connection.renew((await connection.current()).client),
    });
    this.#reads = new ServerReads(connection, this.#health, closing);
    const sender = new Sender(connection, namespace, this.#reads, this.#health, closing);
    this.#appends = new Appends(sender, () => this.#health.assertReachable());
    this.#head = new LogHead(this.#reads, (name) => name.startsWith(this.#prefix));
    this.#log = new LogReader(this.#reads, this.#health, namespace, registry, closing);
    this.#namespace = namespace;
  }

  /**
   * Connects to a server, which may take some seconds to come up.
   * @throws EventStoreUnavailable when it cannot be reached or refuses the credentials: the message names host and reason;
   * TypeError when the address is none
   */
  static async open(
    url: string,
    registry: EventRegistry,
    options: EventStoreDbOptions = {},
  ): Promise<EventStoreDbEventStore> {
    const address = parseAddress(url);
    if (options.namespace !== undefined) assertStreamName(`${options.namespace}x`);
    const store = new EventStoreDbEventStore(await Connection.open(address), registry, address.hosts, options);
    try {
      await store.#reached();
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  override get failure(): EventStoreUnavailable | undefined {
    return this.#health.failure;
  }

  /** Counters since the start, for metrics. */
  get counters(): AppendCounters {
    return this.#appends.counters;
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    this.#assertOpen();
    this.#assertOurs(stream);
    const prepared = events.map((event) => prepareEvent(event, this.registry));
    for (const event of prepared) assertMetadata(event);
    if (prepared.length > 0) return this.#appends.append(stream, expected, prepared);
    const last = await lastRevision(this.#reads, this.#namespace + stream);
    return { position: 0, firstRevision: last + 1, lastRevision: last };
  }

  async readStream(
    stream: string,
    { from, direction = 'forwards', limit }: ReadStreamOptions,
  ): Promise<readonly Recorded[]> {
    this.#assertOpen();
    if (!Number.isSafeInteger(limit) || limit < 0) throw new RangeError('The limit of a read is a whole number.');
    if (from !== undefined && !Number.isSafeInteger(from)) throw new RangeError('A revision is a whole number.');
    if (limit === 0) return [];
    const name = this.#namespace + stream;
    const options = { direction, maxCount: limit };
    if (direction === 'forwards') {
      const start = Math.max(from ?? 0, 0);
      return this.#consecutive((await this.#reads.streamPage(name, start, options)) ?? [], start, 1);
    }
    // What a server answers to a start behind the end differs from version to version.
    const last = await lastRevision(this.#reads, name);
    const start = Math.min(from ?? last, last);
    if (start < 0) return [];
    return this.#consecutive((await this.#reads.streamPage(name, start, options)) ?? [], start, -1);
  }

  async *readAll({ after, streamPrefixes }: ReadAllOptions): AsyncGenerator<readonly Recorded[], void, undefined> {
    this.#assertOpen();
    const wanted = this.#wanted(after, streamPrefixes);
    if (wanted.prefixes.length === 0) return;
    yield* this.#log.upTo(await this.#head.now(), wanted);
  }

  async *subscribe({
    after,
    streamPrefixes,
    signal,
  }: SubscribeOptions): AsyncGenerator<readonly Recorded[], void, undefined> {
    this.#assertOpen();
    yield* this.#log.follow(this.#wanted(after, streamPrefixes), signal);
  }

  async head(): Promise<number> {
    this.#assertOpen();
    return this.#head.now();
  }

  checkpointAfter(event: Recorded): Checkpoint {
    return checkpointOf(event);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#appends.finish();
    this.#closing.abort();
    await this.#health.close();
    await this.connection.close();
  }

  /** Waits until the server answers, for as long as a start may take. */
  async #reached(): Promise<void> {
    const pauses = new Pauses(START_PAUSE_FIRST_MS, START_PAUSE_MAX_MS);
    for (const untilMs = performance.now() + START_LIMIT_MS; ;) {
      try {
        await this.#reads.probe();
        return;
      } catch (error) {
        const pauseMs = pauses.next();
        if (troubleOf(error) !== 'lost' || performance.now() + pauseMs > untilMs) {
          throw this.#health.unavailable(error);
        }
        await rest(pauseMs, this.#closing.signal);
      }
    }
  }

  #wanted(after: Checkpoint | undefined, streamPrefixes: readonly string[] | undefined): Wanted {
    const prefixes = streamPrefixes?.map((prefix) => this.#namespace + prefix) ?? [this.#prefix];
    return {
      prefixes: prefixes.flatMap((prefix) => {
        if (prefix.startsWith(this.#prefix)) return [prefix];
        return this.#prefix.startsWith(prefix) ? [this.#prefix] : [];
      }),
      after: after === undefined ? undefined : resumePoint(after),
    };
  }

  #consecutive(events: readonly DriverRecord[], from: number, step: 1 | -1): readonly Recorded[] {
    return events.map((event, index) => {
      const recorded = toRecorded(event, this.#namespace, this.registry);
      const revision = from + index * step;
      if (recorded.revision === revision) return recorded;
      throw new DamagedRecord(recorded.position, `revision ${revision} of its stream is missing beside it`);
    });
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new EventStoreUnavailable('The event store is closed.');
  }

  /** Names come from `streams`, so another one is a mistake in the program. `$…` streams belong to the server. */
  #assertOurs(stream: string): void {
    assertStreamName(stream);
    if (!stream.startsWith(streams.prefix)) throw new RangeError(`Our streams begin with ${streams.prefix}.`);
  }
}
