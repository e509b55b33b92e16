import { setImmediate as nextTurn } from 'node:timers/promises';
import { DamagedRecord, EventStoreUnavailable, streams, ReadBarrier } from '#event-store';
import type { Checkpoint, EventStore, RecordedEvent } from '#event-store';
import { badRequest, Mutex, Refusal, Watch } from '#kernel';
import type { JsonObject } from '#kernel';
import type { Follower, Projection } from '../projection.js';
import { cannotRebuild, type LeftOvers, type Rebuilt } from '../read-side-operations.js';
import {
  ReadModelsPutBack,
  type ReadStore,
  ReadStoreDamaged,
  ReadStoreUnavailable,
  type SavedCheckpoint,
  WriterReplaced,
} from '../read-store.js';
import { bulkBatches } from './bulk-batches.js';
import type { EngineLog, EngineLogEntry, EngineOptions, EngineState, EngineStatus } from './engine-status.js';
import { failureOf, ParticipantFailed } from './failures.js';
import { FormerBuilds, type Undone } from './former-builds.js';
import type { EngineFailure } from './failures.js';
import { Gauges } from './gauges.js';
import { liveBatches } from './live-batches.js';
import { Pace } from './pace.js';
import { ProjectionGroup } from './projection-group.js';
import type { ProjectionRunner } from './projection-runner.js';
import { notReady, PositionWaiters } from './position-waiters.js';
import { type Compared, RebuildRun } from './rebuild-run.js';
import { type Retries, RetryPolicy } from './retry-policy.js';
import { WarmUp } from './warm-up.js';

const LOOK_EVERY_MS = 250;
/** Read models that were put back are noticed within this time: one read of a small document. */
const CHECK_EVERY_MS = 2_000;
/** While nothing happens; the end of the log is asked for as often then, and with each look while something does. */
const CHECK_IDLE_EVERY_MS = 5_000;

/** A day: long enough to notice on a working day that a rebuild has made something worse. */
const FORMER_KEPT_MS = 86_400_000;

const DEFAULTS: EngineOptions = {
  streamPrefixes: [streams.prefix],
  reachedTimeoutMs: 10_000,
  stallLimitMs: 5_000,
  lagLimitMs: 5_000,
  lagGraceMs: 5_000,
  retryLimitMs: 60_000,
  formerKeptMs: FORMER_KEPT_MS,
  formerFollowsEveryMs: 60_000,
  liveBatchEventsMax: 512,
  bulkBatchEventsMax: 2_048,
};

/**
 * Runs all projections and followers over the log in lockstep. Documents and checkpoints of a batch are one commit, so
 * each event takes effect exactly once, whenever the process dies. A permanent failure stops the loop visibly; nothing
 * is skipped.
 */
export class ProjectionEngine extends ReadBarrier {
  readonly #options: EngineOptions;
  readonly #group: ProjectionGroup;
  readonly #warmUp: WarmUp;
  readonly #retryPolicy: RetryPolicy;
  readonly #waiters = new PositionWaiters();
  readonly #gauges: Gauges;
  readonly #mutex = new Mutex();
  readonly #formers: FormerBuilds;
  /** Names of the collections of this release. */
  readonly #collections: ReadonlySet<string>;
  /** One removal at a time: what is being counted stays. */
  readonly #removing = new Mutex();
  #followedMs = performance.now();
  readonly #ending = new AbortController();
  /** Rebuilds that go on, with what ends them. */
  readonly #rebuilds = new Map<RebuildRun, { readonly ending: AbortController; readonly outcome: Promise<Rebuilt> }>();
  #phase: Exclude<EngineState, 'stalled'> = 'starting';
  #position = 0;
  #checkpoint: Checkpoint | undefined;
  #failure: EngineFailure | undefined;
  #complaint: string | undefined;
  /** Of the catch-up, while it lasts. */
  #pace: Pace | undefined;
  #loop: Promise<void> | undefined;
  readonly #watch = new Watch(() => this.#look(), LOOK_EVERY_MS, CHECK_IDLE_EVERY_MS);
  #askingHead = false;
  #checkedMs = -Infinity;
  #checking = false;
  #hasLostReadModels = false;
  readonly #over = new AbortController();
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly events: EventStore,
    private readonly store: ReadStore,
    private readonly projections: readonly Projection<object>[],
    followers: readonly Follower[],
    options: Partial<EngineOptions> = {},
    private readonly log: EngineLog = () => undefined,
  ) {
    super();
    this.#options = { ...DEFAULTS, ...options };
    this.#collections = new Set([...projections, ...followers].map(({ collection }) => collection.name));
    this.#gauges = new Gauges(this.#options);
    this.#warmUp = new WarmUp(events, this.#options.streamPrefixes, followers);
    const { retryLimitMs, startRetryLimitMs = retryLimitMs } = this.#options;
    this.#retryPolicy = new RetryPolicy(
      () => (this.#phase === 'starting' ? startRetryLimitMs : retryLimitMs),
      this.#ending.signal,
      (failure) => {
        this.#tell('warn', 'A store fails; it is tried again.', { ...failureOf(failure) });
        this.#changed();
      },
      () => {
        this.#changed();
      },
    );
    this.#group = new ProjectionGroup(events, store, this.#retryPolicy.persistently, (runner) =>
      this.#hasSetAside(runner),
    );
    this.#formers = new FormerBuilds({
      events,
      store,
      options: this.#options,
      persistently: this.#retryPolicy.persistently,
      mutex: this.#mutex,
      live: () => this.#position,
      signal: this.#ending.signal,
      replaced: (name, saved) => this.#replaced(name, saved),
      tell: (level, message, data) => {
        this.#tell(level, message, data);
      },
    });
  }

  /**
   * Lets the followers' states follow the log while another process writes the read models: `start` then has less to replay. May be
   * repeated before `start`, one at a time. Writes nothing.
   * @param position that all read models have passed
   * @param signal ends it early
   * @throws EventStoreUnavailable, ReadStoreUnavailable, DamagedRecord
   */
  warmUp(position: number, signal: AbortSignal): Promise<void> {
    return this.#warmUp.reach(position, signal);
  }

  /**
   * Opens the collections, restores the followers, and follows the log from there. Resolves when everything that was in
   * the log at the start is visible; rejects with the failure that stopped the engine. Can be called once.
   * @throws DamagedRecord when the log has lost events that the read models have seen
   */
  async start(): Promise<void> {
    if (this.#loop !== undefined) throw new Error('The engine has been started before.');
    const started = this.#catchUp();
    this.#watch.start();
    this.#loop = started.then(
      () => this.#follow(),
      () => undefined,
    );
    await started;
  }

  /** Stops the loop after the current batch, and rebuilds; waiting requests are refused. The stores stay open. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#loop;
    await Promise.allSettled([...this.#rebuilds.values()].map(({ outcome }) => outcome));
    this.#ends();
    this.#watch.stop();
    this.#waiters.refuseAll(() => notReady('The server is shutting down.'));
  }

  /** Aborts when it has stopped, by a failure as well. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Whether it has stopped because its read models are not the ones that it wrote: starting over is enough. */
  get hasLostReadModels(): boolean {
    return this.#hasLostReadModels;
  }

  override assertAccepting(): void {
    if (this.#state === 'live' && this.#complaint === undefined) return;
    throw notReady(this.#complaint ?? MESSAGES[this.#state]);
  }

  override waitFor(position: number): Promise<void> {
    if (position <= this.#position) return Promise.resolve();
    if (this.#state === 'stopped') return Promise.reject(notReady(MESSAGES.stopped));
    this.#watch.wake();
    return this.#waiters.wait(position, performance.now());
  }

  /**
   * Runs reads that belong together, while no projection and no follower moves. They must be quick, since events become
   * visible only afterwards.
   */
  still<Result>(read: () => Promise<Result>): Promise<Result> {
    return this.#mutex.run(read);
  }

  /** Calls back when its state, or what is set aside, may have changed. @returns a function that ends it */
  onAbleChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  status(): EngineStatus {
    const waiting = this.#waiters.size;
    const isIdle = this.#state === 'live' && this.#gauges.isIdle(waiting);
    const lagOf = (position: number): number => (isIdle ? 0 : Math.max(0, this.#gauges.head - position));
    return {
      state: this.#state,
      position: this.#position,
      head: this.#gauges.head,
      lagEvents: lagOf(this.#position),
      lagMs: this.#gauges.lagMs(waiting),
      waiting,
      participants: this.#group.participants.map(({ name, position, handled, failure }) => {
        const former = this.#formers.statusOf(name);
        return {
          name,
          rebuildable: this.#group.projection(name) !== undefined,
          position,
          lagEvents: failure === undefined ? lagOf(position) : this.#gauges.head - position,
          handled,
          eventsPerSecond: this.#gauges.eventsPerSecond(name),
          ...(failure !== undefined && { setAside: failureOf(failure) }),
          ...(former !== undefined && { former }),
        };
      }),
      rebuilds: [...this.#rebuilds.keys()].flatMap(({ progress }) => progress),
      ...(this.#pace !== undefined && { catchUp: this.#pace.progress }),
      ...(this.#failure !== undefined && { failure: this.#failure }),
    };
  }

  /**
   * Rebuilds projections' collections from the beginning of the log beside the live ones, in one pass, and swaps them. Resolves when
   * the new ones are live; `status().rebuilds` reports the progress. One that fails is told by its `failure`, and the others go on.
   * Refuses with `NOT_FOUND` for an unknown projection, with `BAD_REQUEST` for one that `status()` says is not rebuildable, while it is
   * being rebuilt, and when the rebuild is cancelled, with `SERVER_NOT_READY` unless the engine is live, and with
   * `INTERNAL_SERVER_ERROR` when it meets a damaged record or none is left, since they fail on events: it names the record, or an event.
   * @param names without them, of all projections
   */
  async rebuild(names: readonly string[] = this.#group.projections.map(({ name }) => name)): Promise<Rebuilt> {
    const wanted = this.#wanted(names);
    this.assertAccepting();
    return this.#rebuild(wanted).catch(refuseForGood);
  }

  #wanted(names: readonly string[]): readonly ProjectionRunner[] {
    return [...new Set(names)].map((name) => {
      const runner = this.#group.projection(name);
      if (runner === undefined) throw cannotRebuild(name, this.#group.followers);
      if (this.#rebuildOf(name) !== undefined) throw badRequest(`The projection '${name}' is being rebuilt already.`);
      return runner;
    });
  }

  /**
   * Builds a projection anew beside the live one, and compares the two; the live one stays. Progress, refusals and the end by
   * `cancelRebuilds` are as of `rebuild`.
   */
  async compare(name: string): Promise<Compared> {
    const [runner] = this.#wanted([name]);
    this.assertAccepting();
    const { run, ending } = this.#runOf(runner === undefined ? [] : [runner]);
    const compared = run.compare();
    const outcome = compared.then(() => run.progress).finally(() => this.#rebuilds.delete(run));
    outcome.catch(() => undefined);
    this.#rebuilds.set(run, { ending, outcome });
    return compared.catch(refuseForGood);
  }

  /**
   * Puts the build that the last rebuild of a projection has replaced in its place again, up to date, and keeps the other one instead.
   * Refuses as `rebuild`, and with `BAD_REQUEST` when none is kept, or it fails on an event that arrived since.
   */
  async undo(name: string): Promise<Undone> {
    this.#wanted([name]);
    this.assertAccepting();
    const undone = await this.#formers.undo(name).catch(refuseForGood);
    this.#tell('info', 'The former build of a projection is live again.', { projection: name });
    return undone;
  }

  /** Ends all rebuilds; the old collections stay live. @returns the names of those that were being rebuilt */
  async cancelRebuilds(): Promise<readonly string[]> {
    const cancelled = [...this.#rebuilds];
    for (const [, { ending }] of cancelled)
      ending.abort(badRequest('The rebuild was cancelled. The old collection stays live.'));
    await Promise.allSettled(cancelled.map(([, { outcome }]) => outcome));
    return cancelled.flatMap(([{ names }]) => names);
  }

  /**
   * Removes the collections of the store that no participant has, which releases before this one kept, or only says which. Former builds
   * and rebuilds of participants are none of them. Refuses with `BAD_REQUEST` while another process may still read them, with
   * `SERVER_NOT_READY` unless the engine is live.
   */
  async removeLeftOvers(isDryRun: boolean): Promise<LeftOvers> {
    this.assertAccepting();
    return this.#removing.run(async () => {
      const collections = await this.store.leftOvers(this.#collections);
      if (collections.length === 0) return { collections };
      const keptBecause = await this.#options.keepsLeftOvers?.();
      if (isDryRun) return { collections, ...(keptBecause !== undefined && { keptBecause }) };
      if (keptBecause !== undefined) throw badRequest(keptBecause);
      for (const { name } of collections) {
        await this.store.dropLeftOver(name);
        await nextTurn();
      }
      const names = collections.map(({ name }) => name);
      this.#tell('info', 'Collections that a former release kept are removed.', { collections: names });
      return { collections };
    });
  }

  /**
   * Rebuilds a projection's collection that is damaged, also while the engine waits for that; joins a rebuild that is going on.
   * @returns false for a collection that is none of a projection
   */
  async mend(name: string): Promise<boolean> {
    const runner = this.#group.projection(name);
    if (runner === undefined) return false;
    await (this.#rebuildOf(name) ?? this.#rebuild([runner], false));
    return true;
  }

  #rebuildOf(name: string): Promise<Rebuilt> | undefined {
    return [...this.#rebuilds].find(([{ names }]) => names.includes(name))?.[1].outcome;
  }

  /** @param keeps what is replaced; not what is damaged */
  #rebuild(runners: readonly ProjectionRunner[], keeps = true): Promise<Rebuilt> {
    const { run, ending } = this.#runOf(runners, keeps);
    const outcome = this.#runRebuild(run).finally(() => this.#rebuilds.delete(run));
    this.#rebuilds.set(run, { ending, outcome });
    return outcome;
  }

  #runOf(
    runners: readonly ProjectionRunner[],
    keeps = false,
  ): { readonly run: RebuildRun; readonly ending: AbortController } {
    const ending = new AbortController();
    const run = new RebuildRun(
      runners.map(({ projection }) => projection),
      {
        events: this.events,
        store: this.store,
        options: this.#options,
        persistently: this.#retryPolicy.persistently,
        signal: AbortSignal.any([this.#ending.signal, ending.signal]),
        mutex: this.#mutex,
        live: () => this.#position,
        exclusively: (work) => this.#formers.exclusively(work),
        keepsSinceMs: () => (keeps ? Date.now() : undefined),
        replaced: (name, saved) => this.#replaced(name, saved),
      },
    );
    return { run, ending };
  }

  async #runRebuild(run: RebuildRun): Promise<Rebuilt> {
    const projections = [...run.names];
    this.#tell('info', 'A rebuild began.', { projections });
    try {
      await run.run();
    } catch (error) {
      const failure = { projections, ...failureOf(error) };
      if (error instanceof Refusal)
        this.#tell('info', 'A rebuild was cancelled; the old collections stay live.', failure);
      else this.#tell('error', 'A rebuild failed; the old collections stay live.', failure);
      throw error;
    }
    const { progress } = run;
    for (const { name, failure } of progress)
      if (failure !== undefined)
        this.#tell('error', 'A rebuild failed; the old collection stays live.', { projection: name, ...failure });
    const live = progress.filter(({ failure }) => failure === undefined).map(({ name }) => name);
    const { events = 0, elapsedMs = 0 } = progress[0] ?? {};
    this.#tell('info', 'A rebuild is live.', { projections: live, events, elapsedMs });
    return progress;
  }

  async #hasSetAside({ name, failure }: ProjectionRunner): Promise<void> {
    this.#tell('error', 'A projection failed on an event. It is set aside, and the others go on.', {
      projection: name,
      ...failureOf(failure),
    });
    await this.#tellSetAside();
  }

  async #replaced(name: string, saved: SavedCheckpoint | undefined): Promise<void> {
    if (this.#group.projection(name)?.failure === undefined) return;
    this.#group.replaced(name, saved);
    this.#tell('info', 'A projection that was set aside follows the log again.', { projection: name });
    await this.#tellSetAside();
  }

  async #tellSetAside(): Promise<void> {
    const failures = this.#group.projections.flatMap(({ name, failure }) =>
      failure === undefined ? [] : [[name, failureOf(failure)] as const],
    );
    this.#changed();
    await this.#options.onSetAside?.(new Map(failures));
  }

  async #catchUp(): Promise<void> {
    try {
      const from = await this.#group.open(this.projections, this.#warmUp.runners);
      const resumed = this.#group.behind.map((runner) => ({ runner, position: runner.position }));
      await this.#formers.open(this.projections);
      this.#gauges.head = await this.events.head();
      const pace = new Pace(from?.position ?? 0, this.#gauges.head);
      this.#pace = pace;
      this.#checkpoint = from?.checkpoint;
      const { streamPrefixes, bulkBatchEventsMax } = this.#options;
      const pages = this.events.readAll({ streamPrefixes, ...this.#after() });
      this.#group.remember(true);
      for await (const { events, last } of bulkBatches(pages, bulkBatchEventsMax)) {
        this.#ending.signal.throwIfAborted();
        await this.#apply(events, last);
        pace.moved(events.length, last.position);
        await nextTurn();
      }
      this.#group.remember(false);
      await this.#retryPolicy.persistently(() => this.store.buildIndexes());
      // With nothing to read, all participants are at the position of the first one.
      if (from !== undefined && this.#position < from.position) await this.#tellPassed(from.position);
      this.#gauges.caughtUp();
      this.#complaint = undefined;
      this.#phase = 'live';
      this.#changed();
      this.#tell('info', 'The read side has caught up.', { position: this.#position });
      for (const { runner, position } of resumed)
        // A release that did not have the projection leaves it behind as well.
        if (runner.failure === undefined)
          this.#tell('info', 'A projection that was set aside, or left behind, follows the log again.', {
            projection: runner.name,
            position,
          });
    } catch (error) {
      this.#fail(error);
      throw error;
    } finally {
      this.#pace = undefined;
    }
  }

  /** A store that created or lost a collection meanwhile, for another release, does not know any more what all have passed. */
  async #tellPassed(position: number): Promise<void> {
    await this.#retryPolicy.persistently(() => this.store.commit({ writes: [], position, passed: position }));
    this.#moved(position);
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    const { streamPrefixes } = this.#options;
    let retries: Retries | undefined;
    while (!this.#isEnding()) {
      try {
        for await (const batch of this.events.subscribe({ streamPrefixes, signal, ...this.#after() })) {
          retries = undefined;
          await this.#applyLive(batch);
          if (this.#isEnding()) return;
        }
      } catch (error) {
        retries ??= this.#retryPolicy.retries();
        if (error instanceof EventStoreUnavailable && (await this.#reachable(error, retries))) continue;
        this.#fail(error);
        return;
      }
    }
  }

  async #applyLive(batch: readonly RecordedEvent[]): Promise<void> {
    for (const events of liveBatches(batch, this.#options.liveBatchEventsMax)) {
      const last = events.at(-1);
      if (last === undefined || this.#isEnding()) return;
      await this.#applyOrMend(events, last);
      if (events.length < batch.length) await nextTurn();
    }
  }

  /** Rebuilds a collection of which a document that the batch needs is damaged. Nothing of the batch has been applied then. */
  async #applyOrMend(events: readonly RecordedEvent[], last: RecordedEvent): Promise<void> {
    const apply = (): Promise<void> => this.#mutex.run(() => this.#apply(events, last));
    try {
      await apply();
    } catch (error) {
      const name = error instanceof ReadStoreDamaged ? error.collection : undefined;
      if (name === undefined || this.#group.projection(name) === undefined) throw error;
      await this.mend(name);
      await apply();
    }
  }

  async #apply(events: readonly RecordedEvent[], last: RecordedEvent): Promise<void> {
    this.#watch.wake();
    this.#gauges.began(events[0] ?? last);
    const { checkpoint, position } = await this.#group.apply(events, last);
    this.#checkpoint = checkpoint;
    this.#moved(position);
    this.#gauges.ended();
  }

  #moved(position: number): void {
    this.#position = position;
    if (this.#gauges.head < position) this.#gauges.head = position;
    this.#waiters.advance(position);
  }

  #after(): { readonly after?: Checkpoint } {
    return this.#checkpoint === undefined ? {} : { after: this.#checkpoint };
  }

  /** Whether the log can be read again after a failure. */
  async #reachable(failure: EventStoreUnavailable, retries: Retries): Promise<boolean> {
    try {
      await this.#retryPolicy.repeat(() => this.events.head(), failure, retries);
      return true;
    } catch {
      // The failure that led here is the one to report.
      return false;
    }
  }

  #fail(error: unknown): void {
    if (this.#isEnding()) return;
    this.#failure = failureOf(error);
    this.#hasLostReadModels = lostReadModels(error);
    this.#ends();
    this.#tell('error', 'The read side has stopped: it cannot apply an event, and skips none.', { ...this.#failure });
    this.#waiters.refuseAll(() => notReady(MESSAGES.stopped));
  }

  #ends(): void {
    this.#phase = 'stopped';
    this.#changed();
    this.#over.abort();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  get #state(): EngineState {
    return this.#retryPolicy.isStalled && this.#phase !== 'stopped' ? 'stalled' : this.#phase;
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  #tell(level: EngineLogEntry['level'], message: string, data: JsonObject): void {
    this.log({ level, message, data });
  }

  /** @returns whether nothing happens */
  #look(): boolean {
    const oldestMs = this.#waiters.oldestMs();
    this.#complaint = this.#gauges.complaint(oldestMs, this.#waiters.size);
    this.#waiters.expire(performance.now() - this.#options.reachedTimeoutMs, () =>
      notReady('The server has recorded this, but cannot show it yet. Look again before you repeat it.'),
    );
    this.#gauges.sample(this.#group.participants);
    const now = performance.now();
    const isIdle = this.#phase === 'stopped' || (this.#phase === 'live' && this.#gauges.isIdle(this.#waiters.size));
    const isTime = isIdle || now - this.#checkedMs >= CHECK_EVERY_MS;
    if (isTime) {
      this.#checkedMs = now;
      void this.#checkStore();
    }
    void this.#askHead();
    if (now - this.#followedMs > this.#options.formerFollowsEveryMs) void this.#followWithFormers();
    return isIdle;
  }

  /** Never beside a rebuild, which reads the whole log. */
  async #followWithFormers(): Promise<void> {
    if (this.#phase !== 'live' || this.#rebuilds.size > 0) return;
    this.#followedMs = performance.now();
    try {
      await this.#formers.follow();
    } catch (error) {
      // A store that fails for the live loop as well is reported there; the next turn tries again.
      this.#tell('warn', 'Former builds of projections could not follow the log.', { ...failureOf(error) });
    }
  }

  /** Read models can go back under a running engine, when an operator restores a backup or drops the database. */
  async #checkStore(): Promise<void> {
    if (this.#checking || this.#phase !== 'live') return;
    this.#checking = true;
    try {
      const known = this.#group.participants.map(({ name, position }) => ({ name, position }));
      const { positions } = await this.store.standing();
      if (known.some(({ name, position }) => (positions.get(name) ?? 0) < position)) throw new ReadModelsPutBack();
    } catch (error) {
      // A store that is away is noticed by the next commit; requests are told by the barrier.
      if (error instanceof ReadStoreUnavailable) return;
      this.#fail(error);
      this.#ending.abort();
    } finally {
      this.#checking = false;
    }
  }

  async #askHead(): Promise<void> {
    if (this.#askingHead) return;
    this.#askingHead = true;
    try {
      this.#gauges.head = Math.max(this.#position, await this.events.head());
    } catch {
      // The subscription meets the same failure and reports it; the gauge keeps its last value.
    } finally {
      this.#askingHead = false;
    }
  }
}

function lostReadModels(error: unknown): boolean {
  return error instanceof ReadModelsPutBack || error instanceof WriterReplaced;
}

const MESSAGES: Readonly<Record<EngineState, string>> = {
  starting: 'The server is starting.',
  live: 'The read side is busy.',
  stalled: 'A store is not available.',
  stopped: 'The read side has stopped.',
};

/**
 * Trying again helps nobody until the log is mended, or the projection, so the operator is told which record or event it is. Both texts
 * hold no contents.
 */
function refuseForGood(error: unknown): never {
  const isForGood = error instanceof DamagedRecord || error instanceof ParticipantFailed;
  throw isForGood ? new Refusal('INTERNAL_SERVER_ERROR', error.message) : error;
}
