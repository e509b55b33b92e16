import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { EventRegistry, eventType, type NewEvent, type RecordedEvent, SqliteEventStore, streams } from '#event-store';
import { newId } from '#kernel';
import { Directory, organizationEventTypes } from '#people';
import type { User } from '#users/model';
import {
  type Advance,
  Collection,
  LocalBroadcast,
  Progress,
  type FieldsRow,
  type Find,
  type Key,
  type Stored,
} from '#read-store';
import { ManualClock, MemoryKeyValueStore } from '#testing';
import { DirectorySnapshots } from '../directory/directory-snapshots.js';
import { EventQueues } from '../queues/event-queues.js';
import { FeedCatalogue } from '../log/feed-catalogue.js';
import { feedCollection, type FeedDocument, FeedHistory, type FeedPage } from '../log/feed-history.js';
import { FeedRetention } from '../log/feed-retention.js';
import { FeedTail } from '../log/feed-tail.js';
import { created, MemoryCollection, SampleEvents, settingsOf, userCreated } from '../feed.fixture.js';
import { HeldPolls } from '../queues/held-polls.js';
import { LiveDelivery } from '../delivery/live-delivery.js';
import { LiveFeed } from '../delivery/live-feed.js';
import { Presenter } from '../delivery/presenter.js';
import { QueueStore } from '../queues/queue-store.js';
import { QueueRegistry } from '../queues/queue-registry.js';
import { Replica } from './replica.js';
import { EphemeralDelivery } from '../delivery/ephemeral-delivery.js';

const registry = new EventRegistry([
  ...organizationEventTypes,
  eventType('message.sent.v1', Type.Any()),
  eventType('nothing.said.v1', Type.Any()),
]);

/** Delay of the stores, called before each of their answers. */
export type Delay = () => Promise<void>;

class SlowCollection extends Collection<FeedDocument> {
  readonly schema = feedCollection;

  constructor(
    private readonly documents: MemoryCollection<FeedDocument>,
    private readonly delay: Delay,
  ) {
    super();
  }

  async get(key: Key): Promise<FeedDocument | undefined> {
    await this.delay();
    return this.documents.get(key);
  }

  async getMany(keys: readonly Key[]): Promise<Map<Key, FeedDocument>> {
    await this.delay();
    return this.documents.getMany(keys);
  }

  async find(find: Find): Promise<readonly Stored<FeedDocument>[]> {
    await this.delay();
    return this.documents.find(find);
  }

  findFields(): Promise<readonly FieldsRow[]> {
    return this.documents.findFields();
  }

  count(): Promise<number> {
    return this.documents.count();
  }
}

/** Returns pages that end early. */
class ShortPages extends FeedHistory {
  constructor(
    documents: Collection<FeedDocument>,
    private readonly lengthMax: number,
  ) {
    super(documents);
  }

  override async page(after: number, until: number): Promise<FeedPage> {
    const { records, upTo } = await super.page(after, until);
    if (records.length < this.lengthMax) return { records, upTo };
    const some = records.slice(0, this.lengthMax);
    return { records: some, upTo: some.at(-1)?.position ?? upTo };
  }
}

export class MemoryProgress extends Progress {
  /** Position of the projector. */
  passed = 0;
  /** While set, it does not answer. */
  gate: Promise<void> | undefined;
  timesAsked = 0;
  readonly #listeners = new Set<(advance?: Advance) => void>();

  constructor(private readonly delay: Delay) {
    super();
  }

  override async position(): Promise<number> {
    this.timesAsked++;
    await this.delay();
    await this.gate;
    const { passed } = this;
    await this.delay();
    return passed;
  }

  override watch(moved: (advance?: Advance) => void): () => void {
    this.#listeners.add(moved);
    return () => this.#listeners.delete(moved);
  }

  /** @param told documents that processes are told */
  moveTo(position: number, isTold: boolean, told?: Advance['told']): void {
    const after = this.passed;
    this.passed = position;
    const advance = told === undefined ? undefined : { after, passed: position, told };
    if (isTold) for (const moved of this.#listeners) moved(advance);
  }
}

/** A process that serves clients. */
export interface Api {
  readonly directory: Directory;
  readonly replica: Replica;
  readonly queues: EventQueues;
  readonly retention: FeedRetention;
}

/** A log, the projector's output, and any number of processes that serve clients from both. */
export class ReplicaWorld {
  readonly clock = new ManualClock();
  readonly side = new MemoryKeyValueStore();
  readonly documents = new MemoryCollection<FeedDocument>(feedCollection);
  readonly progress: MemoryProgress;
  readonly log: RecordedEvent[] = [];
  readonly errors: unknown[] = [];
  /** Called by each process for each event that it reads from the log. */
  recorded: (event: RecordedEvent) => void = () => undefined;
  /** Positions of the events that became visible, of all processes. */
  readonly shown: number[] = [];
  readonly events = new SampleEvents();
  /** The projector's directory. */
  readonly directory = new Directory();
  complaint: string | undefined;
  store: SqliteEventStore;
  readonly #folder = mkdtempSync(join(tmpdir(), 'replica-'));
  readonly #catalogue = new FeedCatalogue([this.events]);
  readonly #broadcast = new LocalBroadcast();
  readonly #apis = new Set<Api>();
  /** Number of events whose documents are written. */
  #written = 0;

  constructor(
    private readonly delay: Delay = () => Promise.resolve(),
    private readonly pageRecordsMax = Infinity,
  ) {
    this.progress = new MemoryProgress(delay);
    this.store = SqliteEventStore.open(join(this.#folder, 'events.db'), registry);
  }

  async open(): Promise<this> {
    await this.append(streams.organization, [created, userCreated(1), userCreated(2)]);
    this.project(3);
    return this;
  }

  async destroy(): Promise<void> {
    for (const api of this.#apis) await this.end(api);
    await this.store.close();
    rmSync(this.#folder, { recursive: true });
  }

  async append(stream: string, facts: readonly { type: string; data: object }[]): Promise<void> {
    const events = facts.map(({ type, data }): NewEvent => ({ id: newId(), type, data }));
    const { firstRevision } = await this.store.append(stream, 'any', events);
    for (const event of await this.store.readStream(stream, { from: firstRevision, limit: events.length }))
      this.log.push(event);
    this.log.sort((a, b) => a.position - b.position);
  }

  /** Writes the documents of this many events, without publishing the progress. */
  write(count: number): void {
    for (const event of this.log.slice(this.#written, this.#written + count)) {
      this.directory.apply(event);
      const entries = this.#catalogue.derive(event, this.directory);
      if (entries.length > 0)
        this.documents.texts.set(event.position, JSON.stringify({ at: event.recordedAtMs, entries }));
      this.#written++;
    }
  }

  /** Moves the projector past this many events. */
  project(count: number, isTold: boolean | 'with documents' = true): void {
    const index = this.log.findIndex(({ position }) => position > this.progress.passed);
    if (index === -1) return;
    const passed = Math.min(index + count, this.log.length);
    this.write(passed - this.#written);
    const position = this.log[passed - 1]?.position ?? 0;
    const isNew = (key: number): boolean => key > this.progress.passed && key <= position;
    const told = [...this.documents.texts]
      .filter(([key]) => isNew(key))
      .map(([key, text]) => ({ key, doc: JSON.parse(text) as FeedDocument }));
    this.progress.moveTo(position, isTold !== false, isTold === 'with documents' ? told : undefined);
  }

  projectAll(): void {
    this.project(this.log.length);
  }

  /** Saves the projector's directory, unless it has written beyond its published progress. */
  async saveSnapshot(): Promise<void> {
    const { position } = this.directory;
    const last = this.log.find((event) => event.position === position);
    if (position !== this.progress.passed || last === undefined) return;
    const at = { checkpoint: this.store.checkpointAfter(last), position };
    await new DirectorySnapshots(this.side, this.store, this.directory).save(this.directory.snapshot(), at, {
      organization: null,
      messages: null,
    });
  }

  async start(): Promise<Api> {
    const { clock, side, store, progress } = this;
    const directory = new Directory();
    const history = new ShortPages(new SlowCollection(this.documents, this.delay), this.pageRecordsMax);
    const retention = new FeedRetention(side, history);
    const tail = new FeedTail();
    const presenter = new Presenter(this.#catalogue);
    const onError = (error: unknown): void => void this.errors.push(error);
    const deliveredUpTo = (): number => delivery.deliveredUpTo;
    const polls: HeldPolls = new HeldPolls({ heartbeatMs: 60_000, nowMs: () => clock.nowMs(), deliveredUpTo });
    const delivery = new LiveDelivery({ directory, presenter, polls, onError });
    const broadcast = this.#broadcast;
    const records = new QueueStore({ side, isShared: true, onError });
    const table = new QueueRegistry({ records, clock, onError, broadcast });
    const transient = new EphemeralDelivery({ directory, presenter, table, broadcast, clock, deliveredUpTo, onError });
    const replica = new Replica({
      store,
      progress,
      directory,
      recorded: (event) => {
        this.recorded(event);
      },
      shown: ({ position }) => void this.shown.push(position),
      snapshots: new DirectorySnapshots(side, store, directory),
      history,
      retention,
      listener: new LiveFeed(tail, delivery),
      clock,
      projectorComplaint: () => this.complaint,
      onError,
    });
    const queues = new EventQueues({
      directory,
      tail,
      history,
      retention,
      presenter,
      polls,
      delivery,
      table,
      transient,
      clock,
      onError,
    });
    const api = { directory, replica, queues, retention };
    this.#apis.add(api);
    await replica.start();
    await queues.start();
    return api;
  }

  async end(api: Api): Promise<void> {
    this.#apis.delete(api);
    await api.queues.close();
    await api.replica.stop();
  }
}

/** A client of one queue, at any process. It records `n.part` of each event. */
export class QueueClient {
  readonly heard: string[] = [];
  #poll = 0;

  private constructor(
    readonly queueId: string,
    /** The client must receive everything after this position. */
    readonly from: number,
    private lastId: number,
  ) {}

  static async register({ directory, replica, queues }: Api): Promise<QueueClient> {
    await replica.sync();
    const { position, registered } = await replica.still(async () => {
      const user = directory.user(1) as User;
      return { position: directory.position, registered: queues.register(user, settingsOf(), 0) };
    });
    const { queueId, lastEventId } = await registered;
    return new QueueClient(queueId, position, lastEventId);
  }

  /** Polls for events. A waiting poll is left waiting; a later poll replaces it, and its answer is lost. */
  async poll({ replica, queues }: Api, waits: boolean): Promise<'events' | 'nothing' | 'waits' | 'gone'> {
    const turn = ++this.#poll;
    await replica.sync();
    const polled = await queues.poll(this.queueId, 1, this.lastId, !waits);
    if (polled.kind === 'gone') return 'gone';
    if (polled.kind === 'events') return this.#hear(polled.events, replica) ? 'events' : 'nothing';
    polled.held.onAnswer((events) => {
      if (turn === this.#poll) this.#hear(events, replica);
    });
    return 'waits';
  }

  #hear(text: string, replica: Replica): boolean {
    const events = JSON.parse(text) as { id: number; message?: { n: number; part: number } }[];
    for (const { id, message } of events) {
      // No client receives an event that is not visible yet.
      expect(Math.floor(id / 1024)).toBeLessThanOrEqual(replica.position);
      expect(id).toBeGreaterThan(this.lastId);
      this.lastId = id;
      if (message !== undefined) this.heard.push(`${message.n}.${message.part}`);
    }
    return events.length > 0;
  }
}
