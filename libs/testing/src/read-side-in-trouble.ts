import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EventStore, ReadBarrier } from '#event-store';
import { Mutex, Refusal } from '#kernel';
import {
  Collection,
  type CollectionSchema,
  type FieldsRow,
  type Filter,
  type Find,
  type Key,
  openReadStore,
  type Projection,
  ProjectionEngine,
  type ReadStore,
  SetAside,
  type SharedReadStores,
  SqliteReadStore,
  type Standing,
  StandingGate,
  type Stored,
} from '#read-store';
import { type MongoBackup, MongoBackups } from './mongo-backups.js';

/** The tests set the clock, so the engine cannot derive its lag from it. */
const ENGINE = { lagLimitMs: Number.MAX_SAFE_INTEGER };
/** Beyond every position of a test's log. */
const LATEST = 2 ** 40;

/** Follows the store that is in use now. */
class CurrentCollection<Doc extends object> extends Collection<Doc> {
  constructor(
    override readonly schema: CollectionSchema,
    private readonly current: () => Promise<Collection<Doc>>,
  ) {
    super();
  }

  override async get(key: Key): Promise<Doc | undefined> {
    return (await this.current()).get(key);
  }
  override async getMany(keys: readonly Key[]): Promise<Map<Key, Doc>> {
    return (await this.current()).getMany(keys);
  }
  override async find(find: Find): Promise<readonly Stored<Doc>[]> {
    return (await this.current()).find(find);
  }
  override async findFields(find: Find, fields: readonly string[]): Promise<readonly FieldsRow[]> {
    return (await this.current()).findFields(find, fields);
  }
  override async count(filter: Filter | undefined, atMost: number): Promise<number> {
    return (await this.current()).count(filter, atMost);
  }
}

/**
 * A read side to which everything happens that operators and failures do to one, under work that goes on. Its gate is the
 * product's.
 */
export abstract class ReadSideInTrouble extends ReadBarrier {
  readonly gate: StandingGate;
  /** An engine that starts while its store is changed would work on the former one. */
  readonly oneAtATime = new Mutex();
  #engine: ProjectionEngine | undefined;
  #starting: Promise<void> | undefined;

  constructor(
    protected readonly events: EventStore,
    protected readonly projections: readonly Projection<object>[],
  ) {
    super();
    this.gate = new StandingGate({
      events,
      store: { standing: () => this.standing() },
      barrier: this,
      operations: {
        status: () => this.engine?.status() ?? new ProjectionEngine(events, this.writing(), [], []).status(),
      },
      participants: projections.map(({ collection }) => collection.name),
      setAside: new SetAside(),
    });
  }

  protected get engine(): ProjectionEngine | undefined {
    return this.#engine;
  }

  /** Where readers look. */
  collection<Doc extends object>(schema: CollectionSchema): Collection<Doc> {
    return new CurrentCollection(schema, () => this.reading().collection<Doc>(schema));
  }

  abstract standing(): Promise<Standing>;
  protected abstract reading(): ReadStore;
  protected abstract writing(): ReadStore;
  abstract backUp(): Promise<void>;
  /** @param which of the backups; nothing at all for one that does not exist */
  abstract putBack(which: number): Promise<void>;
  abstract close(): Promise<void>;

  /** Lets the read models follow the log; does not wait for them. */
  async start(): Promise<void> {
    await Promise.resolve();
    this.#run();
  }

  #run(): void {
    if (this.#engine !== undefined && this.#engine.status().state !== 'stopped') return;
    const engine = new ProjectionEngine(this.events, this.writing(), this.projections, [], ENGINE);
    this.#engine = engine;
    // A failure stops the engine, as its status tells.
    this.#starting = engine.start().catch(() => undefined);
  }

  /** The read models fall behind from now on. */
  async stop(): Promise<void> {
    await this.#engine?.stop();
    await this.#starting;
    this.#engine = undefined;
  }

  async rebuild(name: string): Promise<void> {
    await this.#starting;
    await this.#engine?.rebuild([name]).catch(() => undefined);
  }

  /** A document is gone, and nothing tells. */
  async loseDocument(collection: string, key: Key): Promise<void> {
    await this.writing()
      .commit({ writes: [{ collection, key, doc: undefined }], position: LATEST })
      .catch(() => undefined);
  }

  /** Whole again, by whatever is left. */
  async recover(): Promise<void> {
    for (;;) {
      this.#run();
      await this.#starting;
      try {
        await this.gate.enter();
        return;
      } catch {
        await pause(5);
        if (this.#engine?.status().state === 'stopped') await this.replace();
      }
    }
  }

  /** Another process writes from now on. */
  async replace(): Promise<void> {
    await this.stop();
    await this.start();
  }
}

/** One process with its files: an older state is put back while it is down, and readers come back before it has caught up. */
export class EmbeddedInTrouble extends ReadSideInTrouble {
  readonly #folder = mkdtempSync(join(tmpdir(), 'read-side-'));
  #store: SqliteReadStore;
  #backups = 0;

  constructor(events: EventStore, projections: readonly Projection<object>[]) {
    super(events, projections);
    mkdirSync(this.#live);
    this.#store = this.#open();
  }

  override assertAccepting(): void {
    // Stricter than the product: only where the store stands counts.
  }

  override async waitFor(position: number): Promise<void> {
    await passed(async () => lowest(await this.standing(), this.projections), position);
  }

  override standing(): Promise<Standing> {
    return this.#store.standing();
  }

  protected override reading(): ReadStore {
    return this.#store;
  }

  protected override writing(): ReadStore {
    return this.#store;
  }

  override async backUp(): Promise<void> {
    await this.#down(() => {
      cpSync(this.#live, join(this.#folder, `backup-${this.#backups++}`), { recursive: true });
    });
  }

  override async putBack(which: number): Promise<void> {
    await this.#down(() => {
      rmSync(this.#live, { recursive: true });
      if (which < this.#backups) cpSync(join(this.#folder, `backup-${which}`), this.#live, { recursive: true });
    });
  }

  override async close(): Promise<void> {
    await this.stop();
    await this.#store.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #down(work: () => void): Promise<void> {
    const isRunning = this.engine !== undefined;
    await this.stop();
    await this.#store.close();
    work();
    this.#store = this.#open();
    if (isRunning) await this.start();
  }

  get #live(): string {
    return join(this.#folder, 'live');
  }

  #open(): SqliteReadStore {
    return new SqliteReadStore(join(this.#live, 'read.db'));
  }
}

/** A reader beside the one writer, on a server: everything happens under both while they run. */
export class SharedInTrouble extends ReadSideInTrouble {
  #writing: ReadStore | undefined;
  readonly #kept: MongoBackup[] = [];

  private constructor(
    events: EventStore,
    projections: readonly Projection<object>[],
    private readonly stores: SharedReadStores,
    private readonly backups: MongoBackups,
    private readonly readers: ReadStore,
  ) {
    super(events, projections);
  }

  static async open(
    url: string,
    events: EventStore,
    projections: readonly Projection<object>[],
  ): Promise<SharedInTrouble> {
    const stores = await openReadStore(url);
    if (stores.kind !== 'shared') throw new Error('A file is not shared.');
    const side = new SharedInTrouble(events, projections, stores, await MongoBackups.on(url), stores.reading());
    await side.#takeOver();
    return side;
  }

  override assertAccepting(): void {
    // Stricter than the product: only where the store stands counts.
  }

  override async waitFor(position: number): Promise<void> {
    await passed(() => this.stores.progress.position(), position);
  }

  override standing(): Promise<Standing> {
    return this.readers.standing();
  }

  protected override reading(): ReadStore {
    return this.readers;
  }

  protected override writing(): ReadStore {
    if (this.#writing === undefined) throw new Error('Nobody writes.');
    return this.#writing;
  }

  override async replace(): Promise<void> {
    await this.stop();
    await this.#takeOver();
    await this.start();
  }

  override async backUp(): Promise<void> {
    // A dump of what moves meanwhile is no backup.
    const isRunning = this.engine !== undefined;
    await this.stop();
    this.#kept.push(await this.backups.backUp());
    // A backup is older than what is written when it is put back: the very same state would go unnoticed.
    await this.writing()
      .commit({ writes: [], position: 0 })
      .catch(() => undefined);
    if (isRunning) await this.start();
  }

  override async putBack(which: number): Promise<void> {
    await this.backups.putBack(this.#kept[which]);
  }

  override async close(): Promise<void> {
    await this.stop();
    await this.backups.close();
    await this.stores.close();
  }

  async #takeOver(): Promise<void> {
    for (;;) {
      const lease = await this.stores.leases.acquire('projector', 'test', 0);
      if (lease !== undefined) {
        this.#writing = await this.stores.writing(lease);
        await this.stores.leases.release(lease);
        return;
      }
      await pause(2);
    }
  }
}

async function passed(at: () => Promise<number>, position: number): Promise<void> {
  const endMs = performance.now() + 100;
  while ((await at()) < position) {
    if (performance.now() > endMs) throw new Refusal('SERVER_NOT_READY', 'The read side is behind.');
    await pause(5);
  }
}

function lowest({ positions }: Standing, projections: readonly Projection<object>[]): number {
  return Math.min(...projections.map(({ collection }) => positions.get(collection.name) ?? 0));
}
