import { randomUUID } from 'node:crypto';
import { Mutex } from '#kernel';
import { ReadModelsPutBack, ReadStore, ReadStoreUnavailable, WriterReplaced } from '../read-store.js';
import type { Collection, CollectionSchema, Commit, Rebuild, SavedCheckpoint, Standing } from '../read-store.js';
import { planCommit } from './commit/commit-plan.js';
import { encodeName } from './document-codec.js';
import type { StoredDocument } from './document-codec.js';
import type { BeforeStep } from './commit/guarded-writes.js';
import { Journal } from './commit/journal.js';
import { MongoCollection } from './mongo-collection.js';
import type { Whereabouts } from './mongo-collection.js';
import { indexesOf } from './mongo-filter.js';
import type { MongoServer } from './server/mongo-server.js';
import { StateDocument, StateMoved } from './commit/state-document.js';
import type { Claim } from './commit/state-document.js';
import {
  fingerprintOf,
  isPhysicalName,
  isShadow,
  physicalName,
  RETIREMENT_MS,
  shadowName,
  standingOf,
} from './commit/store-state.js';
import type { Located, StoreState } from './commit/store-state.js';

const TIDY_EVERY_MS = 10_000;
const ATTEMPTS_MAX = 3;
/** How long a writer's own reads trust that it is still the writer. */
const WHEREABOUTS_TRUSTED_MS = 5_000;

/** Index of the tombstones of removed documents. */
const MARKS = { key: { gone: 1 }, name: 'gone', sparse: true } as const;

export interface WritingOptions {
  readonly beforeStep?: BeforeStep;
  /** Called when a commit has moved `passed`. */
  readonly passed?: () => void;
}

/**
 * Read models in MongoDB, for the one process that writes them. Commits run one after another; after a failure, the
 * state is read again before the next.
 */
export class MongoReadStore extends ReadStore {
  readonly #claim: Claim;
  readonly #journal: Journal;
  readonly #document: StateDocument;
  readonly #schemas = new Map<string, CollectionSchema>();
  readonly #mutex = new Mutex();
  /** When collections were first seen as retired, by this process's monotonic clock: the clocks of machines differ. */
  readonly #retiredAtMs = new Map<string, number>();
  /** Collections that are known to have the index of tombstones. */
  readonly #marked = new Set<string>();
  readonly #tidying: NodeJS.Timeout;
  #tidied: Promise<void> | undefined;
  /** State on the server; undefined when unknown. */
  #state: StoreState | undefined;
  /** The last commit, unless it is known to be done. */
  #latest: { readonly commit: Commit; readonly number: number } | undefined;
  #commits = 0;
  /** Number of the newest state that was seen: an older one was put back. */
  #newest = 0;
  #whereabouts: Readonly<Record<string, Located>> = {};
  #confirmedAtMs = -Infinity;
  #isClosed = false;

  private constructor(
    private readonly server: MongoServer,
    term: number,
    private readonly options: WritingOptions,
  ) {
    super();
    this.#claim = { term, writer: randomUUID() };
    this.#document = new StateDocument(server);
    this.#journal = new Journal(server, this.#document, options.beforeStep ?? (() => Promise.resolve()));
    this.#tidying = setInterval(() => void this.tidy(), TIDY_EVERY_MS).unref();
  }

  /** @throws WriterReplaced @throws ReadStoreUnavailable */
  static async open(server: MongoServer, term: number, options: WritingOptions = {}): Promise<MongoReadStore> {
    const store = new MongoReadStore(server, term, options);
    try {
      await server.run(async () => {
        store.#become(await store.#journal.takeOver(store.#claim, false));
      });
      await store.#giveUpUnfinished();
    } catch (error) {
      await store.close();
      throw error;
    }
    return store;
  }

  override async collection<Doc extends object>(schema: CollectionSchema): Promise<Collection<Doc>> {
    const { name } = schema;
    const fingerprint = fingerprintOf(schema);
    await this.#mutex.run(async () => {
      const { collections } = await this.#ready();
      if (collections[encodeName(name)]?.schema === fingerprint) return;
      const physical = await this.#create(schema);
      await this.#change((state) => {
        const { [encodeName(name)]: _, ...checkpoints } = state.checkpoints;
        // A position reported as passed is not in the store any more.
        return { ...located(state, name, { physical, schema: fingerprint, top: 0 }), checkpoints, passed: 0 };
      });
    });
    this.#schemas.set(name, schema);
    return this.#open<Doc>(schema, name);
  }

  override async commit(commit: Commit): Promise<void> {
    await this.#mutex.run(async () => {
      const number = this.#numberOf(commit);
      await this.#attempt((state) => planCommit(state, this.#schemas, commit, Date.now()), number);
      this.#latest = undefined;
    });
    if (commit.passed !== undefined) this.options.passed?.();
  }

  override async checkpoint(name: string): Promise<SavedCheckpoint | undefined> {
    return this.#mutex.run(async () => (await this.#ready()).checkpoints[encodeName(name)]);
  }

  override async standing(): Promise<Standing> {
    const newest = this.#newest;
    const state = await this.server.run(() => this.#document.read());
    if (state.number < newest) throw new ReadModelsPutBack();
    if (state.writer !== this.#claim.writer) throw new WriterReplaced();
    return standingOf(state);
  }

  override async startRebuild(schema: CollectionSchema): Promise<Rebuild> {
    await this.collection(schema);
    return this.#mutex.run(async () => {
      const { revision } = await this.#ready();
      const shadow = shadowName(schema.name, revision + 1);
      const physical = await this.#create(schema);
      await this.#change((state) => {
        const others = Object.keys(state.collections).filter((name) => name.startsWith(shadowName(schema.name, '')));
        return located(without(state, others), shadow, { physical, schema: fingerprintOf(schema), top: 0 });
      });
      this.#schemas.set(shadow, schema);
      return { shadow };
    });
  }

  override shadow<Doc extends object>(rebuild: Rebuild): Collection<Doc> {
    return this.#open<Doc>(this.#schema(rebuild.shadow), rebuild.shadow);
  }

  override async indexRebuild(rebuild: Rebuild): Promise<void> {
    // Created before the first document: building them over many documents would exceed every timeout.
    this.#schema(rebuild.shadow);
  }

  override async finishRebuild(schema: CollectionSchema, rebuild: Rebuild): Promise<void> {
    this.#schema(rebuild.shadow);
    await this.#mutex.run(() =>
      this.#change((state) => {
        const { [encodeName(rebuild.shadow)]: built, ...collections } = state.collections;
        if (built === undefined) throw new Error(`There is no rebuild ${rebuild.shadow}.`);
        const { [encodeName(rebuild.shadow)]: reached, [encodeName(schema.name)]: _, ...others } = state.checkpoints;
        const checkpoints = reached === undefined ? others : { ...others, [encodeName(schema.name)]: reached };
        return located({ ...state, collections, checkpoints }, schema.name, built);
      }),
    );
    this.#schemas.delete(rebuild.shadow);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#tidying);
    // Finishes what has begun, except what no caller awaits.
    await this.#mutex.run(() => Promise.resolve());
  }

  /** Cleans up unused collections and entries. Runs periodically by itself, and never fails. */
  tidy(): Promise<void> {
    this.#tidied ??= this.#tidy().finally(() => (this.#tidied = undefined));
    return this.#tidied;
  }

  async #tidy(): Promise<void> {
    try {
      const state = await this.#mutex.run(async () => {
        const found = await this.#ready();
        await this.server.run(() => this.#journal.tidy());
        await this.#dropRetired(found);
        return found;
      });
      await this.server.run(() => this.#journal.forget(state));
      await this.#indexMarks(state);
    } catch {
      // Nothing depends on it, and the next round tries again. The cause also prevents commits, and is reported there.
    }
  }

  /** Retires collections that no state names, and those of rebuilds whose process ended. */
  async #giveUpUnfinished(): Promise<void> {
    await this.#mutex.run(async () => {
      const state = await this.#ready();
      const named = new Set([...Object.values(state.collections).map(({ physical }) => physical), ...state.retired]);
      const listed = await this.server.run(() => this.server.collectionNames());
      const stray = listed.filter((name) => isPhysicalName(name) && !named.has(name));
      const shadows = Object.keys(state.collections).filter(isShadow);
      if (stray.length + shadows.length === 0) return;
      await this.#change((current) => {
        const { retired, ...rest } = without(current, shadows);
        return { ...rest, retired: [...retired, ...stray] };
      });
    });
  }

  /** Creates a collection on the server. It is not visible until the state names it. */
  async #create(schema: CollectionSchema): Promise<string> {
    const { revision } = await this.#ready();
    const physical = physicalName(schema.name, this.#claim.term, revision + 1);
    return this.server.run(async () => {
      // An earlier attempt may have failed half-way, before its collection was visible.
      await this.server.drop(physical);
      await this.server.create(physical);
      await this.server.collection<StoredDocument>(physical).createIndexes([...indexesOf(schema), MARKS]);
      this.#marked.add(physical);
      return physical;
    });
  }

  /** Releases that committed by transactions left no tombstones, and created collections without this index. */
  async #indexMarks({ collections }: StoreState): Promise<void> {
    for (const { physical } of Object.values(collections)) {
      if (this.#marked.has(physical)) continue;
      const documents = this.server.collection<StoredDocument>(physical);
      await this.server.run(async () => {
        if (!(await documents.hasIndex(MARKS.name))) await documents.buildIndexes([MARKS]);
      });
      this.#marked.add(physical);
    }
  }

  /** Changes only the state. Call it within the mutex. */
  #change(change: (state: StoreState) => StoreState): Promise<void> {
    return this.#attempt((state) => ({ position: 0, groups: [], prunes: [], next: change(state) }));
  }

  /** A commit that is called again after a failure keeps its number. */
  #numberOf(commit: Commit): number {
    if (this.#latest?.commit !== commit) this.#latest = { commit, number: ++this.#commits };
    return this.#latest.number;
  }

  /**
   * Commits the plan derived from the state, and derives it again when the state was not the newest. A commit with a
   * number is not written twice when only its answer was lost. Call it within the mutex.
   */
  async #attempt(plan: (state: StoreState) => ReturnType<typeof planCommit>, number?: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const state = await this.#ready();
      if (number !== undefined && this.#journal.decided === number) return;
      const planned = plan(state);
      try {
        this.#state = undefined;
        this.#become(await this.server.run(() => this.#journal.commit(state, planned, number)));
        return;
      } catch (error) {
        if (!(error instanceof StateMoved) || attempt === ATTEMPTS_MAX) throw error;
      }
    }
  }

  /**
   * Call it within the mutex.
   * @throws WriterReplaced
   * @throws ReadStoreUnavailable
   */
  async #ready(): Promise<StoreState> {
    if (this.#isClosed) throw new ReadStoreUnavailable('The read store is closed.');
    return this.#state ?? this.#become(await this.server.run(() => this.#journal.takeOver(this.#claim, true)));
  }

  #become(state: StoreState): StoreState {
    // Going on from an older state would leave out what was committed since.
    if (state.number < this.#newest) throw new ReadModelsPutBack();
    this.#newest = state.number;
    this.#state = state;
    this.#whereabouts = state.collections;
    this.#confirmedAtMs = performance.now();
    const nowMs = performance.now();
    for (const physical of state.retired) {
      if (!this.#retiredAtMs.has(physical)) this.#retiredAtMs.set(physical, nowMs);
    }
    return state;
  }

  #schema(name: string): CollectionSchema {
    const schema = this.#schemas.get(name);
    if (schema === undefined) throw new Error(`There is no collection ${name}.`);
    return schema;
  }

  #open<Doc extends object>(schema: CollectionSchema, name: string): Collection<Doc> {
    return new MongoCollection<Doc>(schema, this.server, () => this.#find(name));
  }

  /** A writer that was replaced while it was suspended must not read a dropped collection. */
  async #find(name: string): Promise<Whereabouts> {
    if (performance.now() - this.#confirmedAtMs > WHEREABOUTS_TRUSTED_MS) await this.#confirm();
    return { physical: this.#whereabouts[encodeName(name)]?.physical, askedAtMs: this.#confirmedAtMs };
  }

  async #confirm(): Promise<void> {
    const askedAtMs = performance.now();
    const { writer } = await this.server.run(() => this.#document.read());
    if (writer !== this.#claim.writer) throw new ReadStoreUnavailable('Another process writes the read store now.');
    this.#confirmedAtMs = askedAtMs;
  }

  async #dropRetired({ retired }: StoreState): Promise<void> {
    const beforeMs = performance.now() - RETIREMENT_MS;
    const due = retired.filter((physical) => (this.#retiredAtMs.get(physical) ?? Infinity) < beforeMs);
    if (due.length === 0) return;
    for (const physical of due) await this.server.run(() => this.server.drop(physical));
    await this.#change((state) => ({ ...state, retired: state.retired.filter((physical) => !due.includes(physical)) }));
    for (const physical of due) this.#retiredAtMs.delete(physical);
  }
}

/** The state after a name points to a collection. Its previous collection is retired. */
function located(state: StoreState, name: string, target: Located): StoreState {
  const before = state.collections[encodeName(name)];
  return {
    ...state,
    revision: state.revision + 1,
    collections: { ...state.collections, [encodeName(name)]: target },
    retired:
      before === undefined || before.physical === target.physical ? state.retired : [...state.retired, before.physical],
  };
}

/** The state without some names and their checkpoints. Their collections are retired. */
function without(state: StoreState, names: readonly string[]): StoreState {
  const kept = <Value>(values: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
  const retired = names.flatMap((name) => state.collections[name]?.physical ?? []);
  return {
    ...state,
    revision: state.revision + 1,
    collections: kept(state.collections),
    checkpoints: kept(state.checkpoints),
    retired: [...state.retired, ...retired],
  };
}
