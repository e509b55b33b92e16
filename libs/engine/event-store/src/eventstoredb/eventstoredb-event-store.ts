import { Backoff, sleep } from '#kernel';
import {
  type Appended,
  type Checkpoint,
  DamagedRecord,
  EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  lengthOf,
  type NewEvent,
  PAGES_LENGTH_MAX,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type StreamPage,
  type SubscribeOptions,
} from '../event-store.js';
import { prepareEvent } from '../prepared-event.js';
import type { EventRegistry } from '../registry.js';
import { assertStreamName } from '../stream-name.js';
import { assertStreamPrefix, namespaceOf } from '../stream-prefix.js';
import { streams } from '../streams.js';
import { parseAddress } from './address.js';
import { type AppendCounters, Appends } from './appends.js';
import { Connection } from './connection.js';
import { partsOf } from './driver.js';
import type { DriverRecord } from './driver.js';
import { Health } from './health.js';
import { Heartbeat } from './heartbeat.js';
import { LogHead } from './log-head.js';
import { LogReader, type Wanted } from './log-reader.js';
import { quietController } from './running-time.js';
import { type PageRun, runsOf } from './page-runs.js';
import { PrefixClaims } from './prefix-claims.js';
import { assertMetadata, checkpointOf, resumePoint, toRecorded } from './record.js';
import { Sender } from './sender.js';
import { ServerReads } from './server-reads.js';
import { lastRevision } from './stream-tail.js';
import { troubleOf } from './trouble.js';

/** Time that the start waits for a server that is not up yet. */
const START_LIMIT_MS = 5_000;
const START_PAUSE_FIRST_MS = 50;
const START_PAUSE_MAX_MS = 500;

/** Pages that are looked at together; reads that are made of them at the same time, and their events together. */
const PAGES_AT_ONCE = 256;
const READS_AT_ONCE = 16;
const EVENTS_AT_ONCE = 256;

export interface EventStoreDbOptions {
  /**
   * Prefix of all stream names, followed by a dot, so that several installations can share a server. Empty by default.
   */
  readonly streamPrefix?: string;
  /** Owner that claims the prefix: a fingerprint of the installation's secret. */
  readonly owner?: string;
  /** Called once per outage, when the server becomes unavailable. */
  readonly onFailure?: (failure: EventStoreUnavailable) => void;
  /** Called when the server is available again. */
  readonly onRecovery?: () => void;
}

/**
 * Event log on an EventStoreDB (KurrentDB) server or cluster. Positions are commit positions. The log consists of the
 * streams with this installation's prefix; other streams on the server are ignored.
 */
export class EventStoreDbEventStore extends EventStore {
  readonly #closing = quietController();
  readonly #health: Health;
  readonly #heartbeat: Heartbeat;
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
    { streamPrefix = '', onFailure = () => undefined, onRecovery = () => undefined }: EventStoreDbOptions,
  ) {
    super();
    const closing = this.#closing.signal;
    const namespace = namespaceOf(streamPrefix);
    this.#prefix = namespace + streams.prefix;
    this.#health = new Health({
      hosts,
      connection,
      onFailure: (failure) => {
        this.#appends.refuseWaiting(failure);
        onFailure(failure);
      },
      onRecovery,
      probe: async (mustWrite) => {
        await this.#reads.probe();
        if (mustWrite) await sender.probe(streams.organization);
      },
      hasAppended: () => sender.hasAppended,
    });
    this.#reads = new ServerReads(connection, this.#health, closing);
    const sender = new Sender(connection, namespace, this.#reads, this.#health, closing);
    this.#heartbeat = new Heartbeat(connection, this.#reads, this.#health, closing);
    this.#appends = new Appends(sender, () => this.#health.assertReachable());
    this.#head = new LogHead(this.#reads, (name) => name.startsWith(this.#prefix));
    this.#log = new LogReader(this.#reads, this.#health, namespace, registry, closing);
    this.#namespace = namespace;
  }

  /**
   * Connects to a server, waiting some seconds for it to come up.
   * @throws EventStoreUnavailable when it cannot be reached or refuses the credentials: the message names host and
   * reason; TypeError for an invalid address; WrongStreamPrefix when the owner's organization has another prefix there
   */
  static async open(
    url: string,
    registry: EventRegistry,
    options: EventStoreDbOptions = {},
  ): Promise<EventStoreDbEventStore> {
    const address = parseAddress(url);
    const { streamPrefix = '', owner } = options;
    assertStreamPrefix(streamPrefix);
    const store = new EventStoreDbEventStore(await Connection.open(address), registry, address.hosts, options);
    try {
      await store.#reached();
      if (owner !== undefined) await store.#claim(streamPrefix, owner);
      store.#heartbeat.start();
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
  ): Promise<readonly RecordedEvent[]> {
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
    // Servers answer differently, by version, to a read that starts behind the end of a stream.
    const last = await lastRevision(this.#reads, name);
    const start = Math.min(from ?? last, last);
    if (start < 0) return [];
    return this.#consecutive((await this.#reads.streamPage(name, start, options)) ?? [], start, -1);
  }

  async readPages(pages: readonly StreamPage[]): Promise<readonly (readonly RecordedEvent[])[]> {
    this.#assertOpen();
    const read: (readonly RecordedEvent[])[] = [];
    for (let length = 0; read.length < pages.length && length <= PAGES_LENGTH_MAX;) {
      const runs = fewOf(runsOf(pages.slice(read.length, read.length + PAGES_AT_ONCE)));
      const found = await Promise.all(runs.map(({ stream, from, limit }) => this.readStream(stream, { from, limit })));
      for (const [index, events] of found.entries()) {
        length += lengthOf(events);
        for (const { from, limit } of runs[index]?.pages ?? [])
          read.push(events.filter(({ revision }) => revision >= from && revision < from + limit));
      }
    }
    return read;
  }

  async *readAll({
    after,
    streamPrefixes,
    onDamage,
  }: ReadAllOptions): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    this.#assertOpen();
    const wanted = { ...this.#wanted(after, streamPrefixes), onDamage };
    if (wanted.prefixes.length === 0) return;
    yield* this.#log.upTo(await this.#head.now(), wanted);
  }

  async *subscribe({
    after,
    streamPrefixes,
    signal,
  }: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    this.#assertOpen();
    yield* this.#log.follow(this.#wanted(after, streamPrefixes), signal);
  }

  async head(): Promise<number> {
    this.#assertOpen();
    return this.#head.now();
  }

  async product(): Promise<string> {
    this.#assertOpen();
    const { client } = await this.connection.current();
    return `EventStoreDB ${(await partsOf(client).capabilities).serverVersion}`;
  }

  checkpointAfter(event: RecordedEvent): Checkpoint {
    return checkpointOf(event);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#appends.finish();
    this.#closing.abort();
    await this.#heartbeat.ended;
    await this.#health.close();
    await this.connection.close();
  }

  /** Waits until the server answers, up to the limit of a start. */
  async #reached(): Promise<void> {
    const backoff = new Backoff(START_PAUSE_FIRST_MS, START_PAUSE_MAX_MS);
    for (const untilMs = performance.now() + START_LIMIT_MS; ;) {
      try {
        await this.#reads.probe();
        return;
      } catch (error) {
        const pauseMs = backoff.next();
        if (troubleOf(error) !== 'lost' || performance.now() + pauseMs > untilMs) {
          throw this.#health.unavailable(error);
        }
        await sleep(pauseMs, this.#closing.signal);
      }
    }
  }

  #claim(prefix: string, owner: string): Promise<void> {
    return new PrefixClaims(this.connection, this.#reads).claim({ prefix, owner });
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

  #consecutive(events: readonly DriverRecord[], from: number, step: 1 | -1): readonly RecordedEvent[] {
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

  /** Stream names come from `streams`, so any other name is a programming error. `$…` streams belong to the server. */
  #assertOurs(stream: string): void {
    assertStreamName(stream);
    if (!stream.startsWith(streams.prefix)) throw new RangeError(`Our streams begin with ${streams.prefix}.`);
  }
}

/** The first runs of a list that are not too many, and have not too many events together; one at least. */
function fewOf(runs: readonly PageRun[]): readonly PageRun[] {
  let events = 0;
  return runs.slice(0, READS_AT_ONCE).filter(({ limit }, index) => (events += limit) <= EVENTS_AT_ONCE || index === 0);
}
