import { randomUUID } from 'node:crypto';
import { Mutex } from '#kernel';
import { ReadModelsPutBack, ReadStore, ReadStoreUnavailable, WriterReplaced } from '../read-store.js';
import { formerName, isFormer, isShadow, nameBeside, shadowName } from '../shadow-names.js';
import type {
  Closing,
  Collection,
  CollectionSchema,
  Commit,
  FormerBuild,
  LeftOver,
  Rebuild,
  SavedCheckpoint,
  Standing,
} from '../read-store.js';
import { planCommit } from './commit/commit-plan.js';
import { decodeName, encodeName } from './document-codec.js';
import type { StoredDocument } from './document-codec.js';
import { EntryApplier } from './commit/entry-applier.js';
import { GuardedWrites } from './commit/guarded-writes.js';
import type { BeforeStep } from './commit/guarded-writes.js';
import { Journal } from './commit/journal.js';
import type { Entry, EntryKind } from './commit/journal.js';
import { newsOf } from './commit/news.js';
import type { News } from './commit/news.js';
import { RecentDocuments } from './commit/recent-documents.js';
import { Takeover } from './commit/takeover.js';
import { MongoCollection } from './mongo-collection.js';
import type { Whereabouts } from './mongo-collection.js';
import { indexesOf } from './mongo-filter.js';
import type { MongoServer } from './server/mongo-server.js';
import { StateDocument, StateMoved } from './commit/state-document.js';
import type { Claim } from './commit/state-document.js';
import {
  fingerprintOf,
  isPhysicalName,
  physicalName,
  RETIREMENT_MS,
  sizesOf,
  standingOf,
} from './commit/store-state.js';
import type { Located, StoreState } from './commit/store-state.js';

/**
 * Operations that are written together, and the same on servers that read a whole collection for each command: readers see there that
 * the writer goes on.
 */
const OPERATIONS_MAX = 2_000;
const OPERATIONS_MAX_OF_SCANS = 200;
const TIDY_EVERY_MS = 10_000;
/** While nothing is committed: what becomes due by time alone. */
const TIDY_IDLE_EVERY_MS = 60_000;
/** A small journal is a quick one, on servers that scan it; readers ask for its entries some times a second. */
const FORGET_EVERY_MS = 1_000;
/** On others, so many are removed at once, or what there is after so long. */
const FORGOTTEN_MIN = 100;
const FORGET_ALL_EVERY_MS = 10_000;
const ATTEMPTS_MAX = 3;
/** How long a writer's own reads trust that it is still the writer. */
const WHEREABOUTS_TRUSTED_MS = 5_000;

/** Tombstones are kept for longer than any writer that lost its lease can still be writing. */
const MARKS_KEPT_MS = 300_000;
/** Index of the tombstones of removed documents. */
const MARKS = { key: { gone: 1 }, name: 'gone', sparse: true } as const;

export interface WritingOptions {
  readonly beforeStep?: BeforeStep;
  /** Called when a commit that moves `passed` is decided. */
  readonly decided?: (news: News) => void;
}

/**
 * Read models in MongoDB, for the one process that writes them. A commit is done when it is decided; its documents are
 * written afterwards, while the next ones are decided. Reads here see what is decided. After a failure, the state is
 * read again before the next commit.
 */
export class MongoReadStore extends ReadStore {
  readonly #claim: Claim;
  readonly #journal: Journal;
  readonly #document: StateDocument;
  readonly #writes: GuardedWrites;
  readonly #takeover: Takeover;
  readonly #recent = new RecentDocuments();
  readonly #beforeStep: BeforeStep;
  readonly #schemas = new Map<string, CollectionSchema>();
  /** Collections of rebuilds, by shadow. */
  readonly #shadows = new Map<string, string>();
  readonly #mutex = new Mutex();
  /** When collections were first seen as retired, by this process's monotonic clock: the clocks of machines differ. */
  readonly #retiredAtMs = new Map<string, number>();
  /** Collections that are known to have the index of tombstones. */
  readonly #marked = new Set<string>();
  readonly #tidying: NodeJS.Timeout;
  readonly #forgetting: NodeJS.Timeout;
  #tidied: Promise<void> | undefined;
  /** State after the newest decided commit; undefined when unknown. */
  #state: StoreState | undefined;
  /** State after the newest commit that is known to be decided. */
  #known: StoreState | undefined;
  #applier: EntryApplier | undefined;
  /** When documents were last removed, by collection. */
  readonly #removedAtMs = new Map<string, number>();
  /** The last commit, unless it is known to be done. */
  #latest: { readonly commit: Commit; readonly number: number } | undefined;
  #commits = 0;
  /** Number of the last commit that is known to be decided. */
  #decided: number | undefined;
  /** Entries up to this one were applied a while ago, and up to that one are removed. */
  #appliedBefore = 0;
  #forgotten = 0;
  #forgottenAtMs = performance.now();
  #whereabouts: Readonly<Record<string, Located>> = {};
  /** Number of the newest decided entry: an older state was put back. */
  #newest = 0;
  #confirmedAtMs = -Infinity;
  /** The newest entry when everything was last cleaned up, and when that was. */
  #tidyUpTo: { readonly number: number; readonly atMs: number } | undefined;
  #isClosed = false;

  private constructor(
    private readonly server: MongoServer,
    term: number,
    private readonly options: WritingOptions,
  ) {
    super();
    this.#claim = { term, writer: randomUUID() };
    this.#beforeStep = options.beforeStep ?? (() => Promise.resolve());
    this.#document = new StateDocument(server);
    this.#writes = new GuardedWrites(server, this.#beforeStep);
    this.#journal = new Journal(server, this.#beforeStep);
    this.#takeover = new Takeover(this.#journal, this.#document, this.#writes, this.#beforeStep);
    this.#tidying = setInterval(() => this.#isTidy() || void this.tidy(), TIDY_EVERY_MS).unref();
    const atLeast = server.capabilities.findsByKey ? FORGOTTEN_MIN : 1;
    this.#forgetting = setInterval(() => void this.forget(atLeast), FORGET_EVERY_MS).unref();
  }

  /** @throws WriterReplaced @throws ReadStoreUnavailable */
  static async open(server: MongoServer, term: number, options: WritingOptions = {}): Promise<MongoReadStore> {
    const store = new MongoReadStore(server, term, options);
    try {
      await store.#takeOver(false);
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
      await this.#change((before) => {
        const state = without(before, [encodeName(formerName(name))]);
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
      await this.#attempt((state) => planCommit(state, this.#schemas, commit, Date.now()), commit, number);
      this.#latest = undefined;
    });
  }

  /**
   * Resolves when the documents of all commits are written, and a successor has nothing left to do.
   * @throws ReadStoreUnavailable
   */
  settled(): Promise<void> {
    return this.#mutex.run(async () => {
      await this.#ready();
      await this.#applier?.settled();
    });
  }

  override async checkpoint(name: string): Promise<SavedCheckpoint | undefined> {
    return this.#mutex.run(async () => (await this.#ready()).checkpoints[encodeName(name)]);
  }

  /** Where the decided commits stand; the server has the documents of those that it counts. */
  override async standing(): Promise<Standing> {
    const decided = this.#known;
    const counted = this.#applier?.counted ?? 0;
    const state = await this.server.run(() => this.#document.read());
    if (state.number < counted) throw new ReadModelsPutBack();
    if (state.writer !== this.#claim.writer) throw new WriterReplaced();
    return standingOf(decided ?? state);
  }

  override async startRebuild(schema: CollectionSchema): Promise<Rebuild> {
    await this.collection(schema);
    return this.#mutex.run(async () => {
      const { revision } = await this.#ready();
      const shadow = shadowName(schema.name, revision + 1);
      const physical = await this.#create(schema);
      await this.#change((state) => {
        const others = Object.keys(state.collections).filter(
          (name) => isShadow(name) && name.startsWith(encodeName(shadowName(schema.name, ''))),
        );
        return located(without(state, others), shadow, { physical, schema: fingerprintOf(schema), top: 0 });
      });
      this.#schemas.set(shadow, schema);
      this.#shadows.set(shadow, physical);
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

  override async abandonRebuild({ shadow }: Rebuild): Promise<void> {
    if (!this.#shadows.has(shadow)) return;
    await this.#mutex.run(async () => {
      await this.#ready();
      await this.#change((state) => without(state, [encodeName(shadow)]));
    });
    this.#shadows.delete(shadow);
    this.#schemas.delete(shadow);
  }

  override async finishRebuild(schema: CollectionSchema, rebuild: Rebuild, keepSinceMs?: number): Promise<void> {
    const { shadow } = rebuild;
    this.#schema(shadow);
    const name = encodeName(schema.name);
    const former = formerName(schema.name);
    await this.#mutex.run(async () => {
      await this.#ready();
      // Readers find the new collection as soon as that is decided.
      await this.#settle();
      await this.#change((state) => {
        // It was decided before, and met a failure afterwards.
        if (state.collections[name]?.physical === this.#shadows.get(shadow)) return state;
        if (state.collections[encodeName(shadow)] === undefined) throw new Error(`There is no rebuild ${shadow}.`);
        const alone = without(state, [encodeName(former)]);
        if (keepSinceMs !== undefined) return exchanged(alone, schema.name, shadow, former, keepSinceMs);
        return without(exchanged(alone, schema.name, shadow, former, 0), [encodeName(former)]);
      });
    });
    this.#shadows.delete(shadow);
    this.#schemas.delete(shadow);
    if (keepSinceMs !== undefined) this.#schemas.set(former, schema);
  }

  override async formers(schemas: readonly CollectionSchema[]): Promise<readonly FormerBuild[]> {
    const known = new Map(schemas.map((schema) => [schema.name, schema]));
    return this.#mutex.run(async () => {
      const { collections } = await this.#ready();
      const found = Object.entries(collections).flatMap(([encoded, { sinceMs = 0 }]) => {
        const shadow = decodeName(encoded);
        return isFormer(shadow) ? [{ name: nameBeside(shadow), shadow, sinceMs }] : [];
      });
      const unknown = found.filter(({ name }) => !known.has(name)).map(({ shadow }) => encodeName(shadow));
      if (unknown.length > 0) await this.#change((state) => without(state, unknown));
      return found.filter(({ name, shadow }) => {
        const schema = known.get(name);
        if (schema !== undefined) this.#schemas.set(shadow, schema);
        return schema !== undefined;
      });
    });
  }

  override async exchangeFormer(schema: CollectionSchema, sinceMs: number): Promise<void> {
    const former = formerName(schema.name);
    this.#schema(former);
    await this.#mutex.run(async () => {
      const before = (await this.#ready()).collections[encodeName(former)]?.physical;
      if (before === undefined) throw new Error(`There is no former build of ${schema.name}.`);
      // Readers find the other collection as soon as that is decided.
      await this.#settle();
      await this.#change((state) => {
        // It was decided before, and met a failure afterwards.
        if (state.collections[encodeName(schema.name)]?.physical === before) return state;
        return exchanged(state, schema.name, former, former, sinceMs);
      });
    });
  }

  override async dropFormer(name: string): Promise<void> {
    const former = formerName(name);
    await this.#mutex.run(async () => {
      const { collections } = await this.#ready();
      if (collections[encodeName(former)] === undefined) return;
      await this.#change((state) => without(state, [encodeName(former)]));
    });
    this.#schemas.delete(former);
  }

  override async leftOvers(names: ReadonlySet<string>): Promise<readonly LeftOver[]> {
    const { collections } = await this.#mutex.run(() => this.#ready());
    const found: LeftOver[] = [];
    for (const [encoded, { physical }] of Object.entries(collections)) {
      const name = decodeName(encoded);
      if (names.has(nameBeside(name))) continue;
      found.push({ name, ...(await this.server.run(() => this.server.statsOf(physical))) });
    }
    return found;
  }

  override async dropLeftOver(name: string): Promise<void> {
    if (this.#schemas.has(name)) throw new Error(`The collection ${name} is in use.`);
    await this.#mutex.run(async () => {
      const { collections } = await this.#ready();
      if (collections[encodeName(name)] === undefined) return;
      await this.#change((state) => without(state, [encodeName(name)]));
    });
  }

  override product(): Promise<string> {
    return this.server.run(() => this.server.product());
  }

  override async sizes(): Promise<ReadonlyMap<string, number>> {
    return sizesOf(await this.#mutex.run(() => this.#ready()), this.server);
  }

  override async close({ isLost = false }: Closing = {}): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#tidying);
    clearInterval(this.#forgetting);
    // Finishes what has begun, except what no caller awaits. What cannot be written now is applied by the next writer.
    await this.#mutex.run(async () => {
      if (!isLost) await this.#applier?.settled().catch(() => undefined);
      await this.#applier?.stop();
    });
  }

  /** Cleans up unused collections and entries. Runs periodically by itself, and never fails. */
  tidy(): Promise<void> {
    this.#tidied ??= this.#tidy().finally(() => (this.#tidied = undefined));
    return this.#tidied;
  }

  /**
   * Removes entries of the journal that were applied at the last call: readers that were away for a moment still find those
   * since then. Runs periodically by itself, and never fails.
   * @param atLeast fewer wait for a later call
   */
  async forget(atLeast = 1): Promise<void> {
    const counted = this.#applier?.counted ?? 0;
    const [before, due] = [this.#forgotten, this.#appliedBefore];
    this.#appliedBefore = counted;
    const nowMs = performance.now();
    const least = nowMs - this.#forgottenAtMs > FORGET_ALL_EVERY_MS ? 1 : atLeast;
    if (due - before < least) return;
    [this.#forgotten, this.#forgottenAtMs] = [due, nowMs];
    // Nothing depends on it; the next call removes more.
    await this.server.run(() => this.#journal.forget(due)).catch(() => undefined);
  }

  #isTidy(): boolean {
    const last = this.#tidyUpTo;
    return last?.number === this.#newest && performance.now() - last.atMs < TIDY_IDLE_EVERY_MS;
  }

  async #tidy(): Promise<void> {
    try {
      const state = await this.#mutex.run(async () => {
        const found = await this.#ready();
        await this.#applier?.settled();
        await this.server.run(() => this.#removeMarks());
        await this.#dropRetired(found);
        return found;
      });
      await this.server.run(() => this.#journal.tidy(state.number));
      await this.server.run(() => this.#journal.removeBeyond(state.number, this.#claim.term));
      await this.#indexMarks(state);
      this.#tidyUpTo = { number: state.number, atMs: performance.now() };
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

  /** Changes only the state, and resolves when readers see it there. Call it within the mutex. */
  async #change(change: (state: StoreState) => StoreState): Promise<void> {
    await this.#attempt((state) => ({ position: 0, groups: [], prunes: [], next: change(state) }));
    await this.#settle();
  }

  /** Resolves when the documents of all commits are written. Call it within the mutex. */
  async #settle(): Promise<void> {
    try {
      await this.#applier?.settled();
    } catch (error) {
      if (!(error instanceof ReadStoreUnavailable)) throw error;
      // What is decided is not undone, and this applies everything.
      await this.#takeOver(true);
    }
  }

  /** A commit that is called again after a failure keeps its number. */
  #numberOf(commit: Commit): number {
    if (this.#latest?.commit !== commit) this.#latest = { commit, number: ++this.#commits };
    return this.#latest.number;
  }

  /**
   * Decides the plan derived from the state, and derives it again when the state was not the newest. A commit with a
   * number is not written twice when only its answer was lost. Call it within the mutex.
   */
  async #attempt(
    plan: (state: StoreState) => ReturnType<typeof planCommit>,
    commit?: Commit,
    number?: number,
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const state = await this.#ready();
      if (number !== undefined && this.#decided === number) return;
      const planned = plan(state);
      const news = commit?.passed === undefined ? undefined : this.#newsOf(state, planned.next, commit);
      await this.#applier?.room();
      this.#state = undefined;
      const kind: EntryKind = number === undefined ? {} : { commit: number };
      const askedMs = performance.now();
      const entry = await this.server.run(() => this.#journal.decide(state, planned, kind));
      if (entry !== undefined) {
        this.#push(entry, askedMs);
        this.#decided = number;
        if (news !== undefined) this.options.decided?.({ ...news, applied: this.#applier?.applied ?? 0 });
        return;
      }
      if (attempt === ATTEMPTS_MAX) throw new StateMoved();
    }
  }

  /** A server that reads a whole collection for each question is not given documents a second time. */
  #newsOf(before: StoreState, next: StoreState, { writes }: Commit): Omit<News, 'applied'> {
    return newsOf(before, next, this.server.capabilities.findsByKey ? writes : undefined);
  }

  #push(entry: Entry, askedMs: number): void {
    const recent = this.#recent;
    this.#applier?.push(entry, (physical, key) => recent.has(physical, key), askedMs);
    recent.wrote(entry);
    for (const { physical, operations } of entry.groups) {
      if (operations.some(({ gone }) => gone !== undefined)) this.#removedAtMs.set(physical, Date.now());
    }
    this.#become(entry.state);
  }

  /**
   * Call it within the mutex.
   * @throws WriterReplaced
   * @throws ReadStoreUnavailable
   */
  async #ready(): Promise<StoreState> {
    if (this.#isClosed) throw new ReadStoreUnavailable('The read store is closed.');
    if (this.#state === undefined || this.#applier?.hasEnded === true) return this.#takeOver(true);
    return this.#state;
  }

  /** Applies everything that is decided, also by this process. */
  async #takeOver(again: boolean): Promise<StoreState> {
    this.#state = undefined;
    await this.#applier?.stop();
    const askedMs = performance.now();
    const { state, commit } = await this.server.run(() => this.#takeover.run(this.#claim, again));
    // Going on from an older state would leave out what was committed since.
    if (state.number < this.#newest) throw new ReadModelsPutBack();
    this.#recent.clear();
    this.#decided = commit ?? this.#decided;
    // Also cleans up what an earlier process removed.
    for (const { physical } of Object.values(state.collections)) this.#removedAtMs.set(physical, Date.now());
    this.#applier = new EntryApplier(
      {
        writes: this.#writes,
        operationsMax: this.server.capabilities.findsByKey ? OPERATIONS_MAX : OPERATIONS_MAX_OF_SCANS,
        document: this.#document,
        beforeStep: this.#beforeStep,
        run: (work) => this.server.run(work),
        pruneAgain: (from) => this.#takeover.pruneAgain(from),
        applied: (number) => this.#recent.applied(number),
      },
      state,
      askedMs,
    );
    return this.#become(state);
  }

  /** Removes old tombstones, while nothing is being applied. */
  async #removeMarks(): Promise<void> {
    const nowMs = Date.now();
    for (const [physical, atMs] of this.#removedAtMs) {
      if (nowMs - atMs < MARKS_KEPT_MS) continue;
      this.#removedAtMs.delete(physical);
      await this.#writes.removeMarks(physical, nowMs - MARKS_KEPT_MS);
    }
  }

  #become(state: StoreState): StoreState {
    this.#newest = state.number;
    this.#state = this.#known = state;
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
    const place = {
      find: () => this.#findWhole(name),
      findForKeys: () => this.#find(name),
      recent: this.#recent,
      reached: (number: number) => this.#reached(number),
    };
    return new MongoCollection<Doc>(schema, this.server, place);
  }

  /** Finds a collection where everything that is decided now is written. */
  async #findWhole(name: string): Promise<Whereabouts> {
    for (let found = await this.#find(name); ;) {
      await this.#reached(this.#newest);
      const { physical } = found;
      found = await this.#find(name);
      if (found.physical === physical) return found;
    }
  }

  /** Resolves when the documents of the entries up to a number are written. */
  async #reached(number: number): Promise<void> {
    const applier = this.#applier;
    if (applier !== undefined && !applier.hasEnded) return applier.reached(number);
    // Taking over applies everything.
    await this.#mutex.run(() => this.#ready());
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

/**
 * The state after a name points to another one's collection, and its own one becomes the former build; each keeps its checkpoint.
 * @param from shadow, or the former build
 */
function exchanged(state: StoreState, name: string, from: string, former: string, sinceMs: number): StoreState {
  const [live, next, kept] = [name, from, former].map(encodeName) as [string, string, string];
  const { [live]: old, [next]: built, ...others } = state.collections;
  if (old === undefined || built === undefined) throw new Error(`There is nothing to exchange with ${name}.`);
  const { [live]: oldReached, [next]: reached, ...rest } = state.checkpoints;
  const { sinceMs: _, ...target } = built;
  return {
    ...state,
    revision: state.revision + 1,
    collections: { ...others, [live]: target, [kept]: { ...old, sinceMs } },
    checkpoints: {
      ...rest,
      ...(reached !== undefined && { [live]: reached }),
      ...(oldReached !== undefined && { [kept]: oldReached }),
    },
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
