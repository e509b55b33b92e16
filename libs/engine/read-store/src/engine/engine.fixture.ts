import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { EventRegistry, EventStore, EventStoreUnavailable, eventType, SqliteEventStore } from '#event-store';
import type {
  Appended,
  Checkpoint,
  ExpectedRevision,
  NewEvent,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  StreamPage,
  SubscribeOptions,
} from '#event-store';
import { newId } from '#kernel';
import type { Follower, Projection } from '../projection.js';
import type {
  Collection,
  CollectionSchema,
  Commit,
  Key,
  SavedCheckpoint,
  KeyValueStore,
  Write,
} from '../read-store.js';
import { SqliteReadStore } from '../sqlite/sqlite-read-store.js';
import { SqliteKeyValueStore } from '../sqlite/sqlite-side-store.js';
import type { EngineLogEntry, EngineOptions } from './engine-status.js';
import { ProjectionEngine } from './projection-engine.js';

const added = eventType('counter.added.v1', Type.Object({ counter: Type.String(), amount: Type.Number() }));
const cleared = eventType('counter.cleared.v1', Type.Object({ counter: Type.String() }));
const poisoned = eventType('counter.poisoned.v1', Type.Object({ counter: Type.String() }));
export const registry = new EventRegistry([added, cleared, poisoned]);

/** A document that counts: an event applied twice, or skipped, shows. */
export interface Counter {
  total: number;
  events: number[];
}

/** Sums by counter: each document is loaded and changed by many events. */
export const sums: Projection<Counter> = {
  collection: { name: 'sums', key: 'text', fields: { total: 'integer' }, indexes: [['total']] },
  handles: new Set([added.name, cleared.name, poisoned.name]),
  keys: (event) => [{ key: (event.data as { counter: string }).counter }],
  evolve: (counter = { total: 0, events: [] }, event) => {
    if (event.type === poisoned.name) throw new Error('cannot digest');
    if (event.type === cleared.name) return undefined;
    counter.total += (event.data as { amount: number }).amount;
    counter.events.push(event.position);
    return counter;
  },
};

/** One document per event, never loaded. */
export const entries: Projection<{ amount: number; counter: string }> = {
  collection: {
    name: 'entries',
    key: 'integer',
    fields: { counter: 'text', amount: 'integer' },
    indexes: [['counter'], ['amount']],
  },
  handles: new Set([added.name]),
  keys: (event) => [{ key: event.position, fresh: true }],
  evolve: (_, event) => ({ ...(event.data as { amount: number; counter: string }) }),
};

const partKey = (counter: string, position: number): string => `${counter}/${String(position).padStart(16, '0')}`;

/** One document per event, by counter. Clearing a counter removes all of its documents without naming them. */
export const parts: Projection<{ amount: number }> = {
  collection: { name: 'parts', key: 'text', fields: {}, indexes: [] },
  handles: new Set([added.name, cleared.name]),
  keys: ({ type, data, position }) =>
    type === added.name ? [{ key: partKey((data as { counter: string }).counter, position), fresh: true }] : [],
  evolve: (_, event) => ({ amount: (event.data as { amount: number }).amount }),
  removes({ type, data, position }) {
    if (type !== cleared.name) return [];
    const { counter } = data as { counter: string };
    return [{ from: `${counter}/`, below: partKey(counter, position) }];
  },
};

/** Follower with a running total as its state; writes the total for each event, and keeps snapshots. */
export class Tally implements Follower {
  readonly name = 'tally';
  readonly collection: CollectionSchema = { name: 'tally', key: 'integer', fields: {}, indexes: [] };
  total = 0;
  readonly replayed: number[] = [];
  readonly written: number[] = [];
  readonly told: number[] = [];

  constructor(private readonly side?: KeyValueStore) {}

  async restore(atMost: number): Promise<SavedCheckpoint | undefined> {
    const snapshot = await this.side?.get('snapshot', 'tally');
    if (snapshot === undefined || (snapshot.position as number) > atMost) return undefined;
    this.total = snapshot.total as number;
    return { checkpoint: snapshot.checkpoint as string, position: snapshot.position as number };
  }

  follow(event: RecordedEvent, write: boolean): readonly Write[] {
    this.total += (event.data as { amount?: number }).amount ?? 0;
    (write ? this.written : this.replayed).push(event.position);
    return [{ collection: 'tally', key: event.position, doc: { total: this.total } }];
  }

  prunes(): readonly { collection: string; below: Key }[] {
    return [{ collection: 'tally', below: (this.written.at(-1) ?? 0) - 1000 }];
  }

  committed(events: readonly RecordedEvent[], at: SavedCheckpoint): void {
    for (const { position } of events) this.told.push(position);
    void this.side?.put('snapshot', 'tally', { ...at, total: this.total });
  }
}

/** Read store whose commits can be made to fail, before or after they took effect. */
export class FaultyReadStore extends SqliteReadStore {
  commits = 0;
  before: (commit: Commit) => void = () => undefined;
  after: (commit: Commit) => void = () => undefined;

  override async commit(commit: Commit): Promise<void> {
    this.commits++;
    this.before(commit);
    await super.commit(commit);
    this.after(commit);
  }
}

/** Log whose subscriptions break off now and then, as over a network. */
export class BreakingEvents extends EventStore {
  /** Number of subscriptions that break before their first batch. */
  breaks = 0;
  subscriptions = 0;
  readonly #inner: EventStore;

  constructor(inner: EventStore) {
    super();
    this.#inner = inner;
  }

  override get failure(): EventStoreUnavailable | undefined {
    return this.#inner.failure;
  }

  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    return this.#inner.append(stream, expected, events);
  }

  readStream(stream: string, options: ReadStreamOptions): Promise<readonly RecordedEvent[]> {
    return this.#inner.readStream(stream, options);
  }

  readPages(pages: readonly StreamPage[]): Promise<readonly (readonly RecordedEvent[])[]> {
    return this.#inner.readPages(pages);
  }

  readAll(options: ReadAllOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.#inner.readAll(options);
  }

  head(): Promise<number> {
    return this.#inner.head();
  }

  product(): Promise<string> {
    return this.#inner.product();
  }

  checkpointAfter(event: RecordedEvent): Checkpoint {
    return this.#inner.checkpointAfter(event);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async *subscribe(options: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    this.subscriptions++;
    for await (const batch of this.#inner.subscribe(options)) {
      if (this.breaks-- > 0) throw new EventStoreUnavailable('the connection broke');
      yield batch;
    }
  }
}

/** Stores in their own directory, and engines on them, one after the other. */
export class EngineFixture {
  readonly logged: EngineLogEntry[] = [];
  readonly #engines: ProjectionEngine[] = [];

  private constructor(
    readonly directory: string,
    public events: SqliteEventStore,
    public store: FaultyReadStore,
    public side: SqliteKeyValueStore,
  ) {}

  static async create(): Promise<EngineFixture> {
    const directory = await mkdtemp(join(tmpdir(), 'engine-'));
    const [events, store, side] = openStores(directory);
    return new EngineFixture(directory, events, store, side);
  }

  engine(
    projections: readonly Projection<object>[],
    followers: readonly Follower[] = [],
    options: Partial<EngineOptions> = {},
    events: EventStore = this.events,
  ): ProjectionEngine {
    const engine = new ProjectionEngine(events, this.store, projections, followers, options, (entry) =>
      this.logged.push(entry),
    );
    this.#engines.push(engine);
    return engine;
  }

  async started(
    projections: readonly Projection<object>[],
    followers: readonly Follower[] = [],
    options: Partial<EngineOptions> = {},
  ): Promise<ProjectionEngine> {
    const engine = this.engine(projections, followers, options);
    await engine.start();
    return engine;
  }

  add(counter: string, ...amounts: number[]): Promise<Appended> {
    const events = amounts.map((amount) => ({ id: newId(), type: added.name, data: { counter, amount } }));
    return this.events.append('1.test', 'any', events);
  }

  clear(counter: string): Promise<Appended> {
    return this.events.append('1.test', 'any', [{ id: newId(), type: cleared.name, data: { counter } }]);
  }

  poison(): Promise<Appended> {
    return this.events.append('1.test', 'any', [{ id: newId(), type: poisoned.name, data: { counter: 'a' } }]);
  }

  async docs<Doc extends object>(of: { readonly collection: CollectionSchema }): Promise<Record<Key, Doc>> {
    const collection: Collection<Doc> = await this.store.collection<Doc>(of.collection);
    const found = await collection.find({ limit: 1_000_000 });
    return Object.fromEntries(found.map(({ key, doc }) => [key, doc]));
  }

  /** Closes everything and opens the stores again, as the next process would. */
  async reopen(): Promise<void> {
    await this.#close();
    [this.events, this.store, this.side] = openStores(this.directory);
  }

  async destroy(): Promise<void> {
    await this.#close();
    await rm(this.directory, { recursive: true });
  }

  async #close(): Promise<void> {
    for (const engine of this.#engines.splice(0)) await engine.stop();
    await this.store.close();
    await this.side.close();
    await this.events.close();
  }
}

function openStores(directory: string): [SqliteEventStore, FaultyReadStore, SqliteKeyValueStore] {
  return [
    SqliteEventStore.open(join(directory, 'events.db'), registry),
    new FaultyReadStore(join(directory, 'read.db')),
    new SqliteKeyValueStore(join(directory, 'side.db')),
  ];
}
