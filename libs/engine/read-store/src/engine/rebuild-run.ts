import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStore, RecordedEvent } from '#event-store';
import type { Mutex } from '#kernel';
import type { Projection } from '../projection.js';
import type { Key, Prune, ReadStore, Rebuild, SavedCheckpoint, Write } from '../read-store.js';
import { bulkBatches } from './bulk-batches.js';
import { comparePage, type ComparedPage, type Difference } from './comparison.js';
import type { EngineOptions, RebuildProgress } from './engine-status.js';
import { failureOf, ParticipantFailed } from './failures.js';
import { Pace } from './pace.js';
import type { Persistently } from './projection-group.js';
import { NO_DOCUMENTS, ProjectionRunner } from './projection-runner.js';

/** The live loop waits during the handover, which starts when fewer events than this are left. */
const HANDOVER_EVENTS_MAX = 1_000;
/** Maximum passes over events that arrived meanwhile. A log that grows faster than this is handed over as it is. */
const PASSES_MAX = 8;

/** What a rebuild works with. */
export interface RebuildParts {
  readonly events: EventStore;
  readonly store: ReadStore;
  readonly options: EngineOptions;
  readonly persistently: Persistently;
  readonly signal: AbortSignal;
  /** Held by the live loop while it applies a batch. */
  readonly mutex: Mutex;
  /** Position of the live loop. */
  readonly live: () => number;
  /** A projection's new collection is live, at the checkpoint. */
  readonly replaced: (name: string, saved: SavedCheckpoint | undefined) => Promise<void>;
}

/** How a projection that was built anew compares with the live one. */
export interface Compared {
  readonly name: string;
  /** Position of both when they were compared last. */
  readonly position: number;
  /** Documents that are equal: all of them, or those before the difference. */
  readonly documents: number;
  /** Absent when they are equal. */
  readonly difference?: Difference;
}

/** One projection of a rebuild. */
interface Built {
  readonly projection: Projection<object>;
  readonly runner: ProjectionRunner;
  readonly rebuild: Rebuild;
}

/**
 * Rebuilds projections from the beginning of the log beside the live ones, in one pass over it, and swaps them. One that fails
 * drops out, and the others go on.
 */
export class RebuildRun {
  readonly #pace: Pace;
  #built: Built[] = [];
  readonly #failures = new Map<string, unknown>();

  constructor(
    readonly projections: readonly Projection<object>[],
    private readonly parts: RebuildParts,
  ) {
    this.#pace = new Pace(0, parts.live());
  }

  get names(): readonly string[] {
    return this.projections.map(({ collection }) => collection.name);
  }

  /** By projection: how far it is, and why it dropped out, if it did. */
  get progress(): readonly RebuildProgress[] {
    const { progress } = this.#pace;
    return this.names.map((name) => {
      const error = this.#failures.get(name);
      return { name, ...progress, ...(error !== undefined && { failure: failureOf(error) }) };
    });
  }

  /** @throws the failure when no projection is left, or the rebuild is ended */
  async run(): Promise<void> {
    const { mutex, live } = this.parts;
    try {
      await this.#build();
      await mutex.run(() => this.#handOver(live()));
    } catch (error) {
      await this.#abandon();
      throw error;
    }
  }

  /**
   * Compares the one projection that is built with the live one, and leaves the live one as it is. Both stand at the same position for
   * each page of documents, and the live loop goes on between pages.
   * @throws the failure of the projection; what ends the rebuild
   */
  async compare(): Promise<Compared> {
    try {
      await this.#build();
      return await this.#compared();
    } finally {
      await this.#abandon();
    }
  }

  async #build(): Promise<void> {
    const { live, store } = this.parts;
    for (const projection of this.projections) {
      const rebuild = await store.startRebuild(projection.collection);
      const runner = new ProjectionRunner(projection, rebuild.shadow, store.shadow(rebuild));
      this.#built.push({ projection, runner, rebuild });
    }
    // Never beyond the live loop, so that the two can meet.
    await this.#pass(live());
    for (const { rebuild } of this.#built) await store.indexRebuild(rebuild);
    for (let pass = 1; pass < PASSES_MAX; pass++) if ((await this.#pass(live())) < HANDOVER_EVENTS_MAX) break;
  }

  async #abandon(): Promise<void> {
    // What is left is dropped by the next rebuild or start as well.
    for (const { rebuild } of this.#built) await this.parts.store.abandonRebuild(rebuild).catch(() => undefined);
  }

  async #compared(): Promise<Compared> {
    const { mutex, live, store, signal, persistently } = this.parts;
    const [built] = this.#built;
    if (built === undefined) throw new Error('There is nothing to compare.');
    const { projection, runner, rebuild } = built;
    const ours = await store.collection<object>(projection.collection);
    const fresh = store.shadow<object>(rebuild);
    let [documents, after]: [number, Key | undefined] = [0, undefined];
    for (;;) {
      signal.throwIfAborted();
      const from: Key | undefined = after;
      const { page, position } = await mutex.run(async (): Promise<{ page: ComparedPage; position: number }> => {
        if (runner.position < live()) await this.#pass(live());
        return { page: await persistently(() => comparePage(ours, fresh, from)), position: live() };
      });
      documents += page.documents;
      after = page.reached;
      if (after === undefined)
        return {
          name: runner.name,
          position,
          documents,
          ...(page.difference !== undefined && { difference: page.difference }),
        };
      await nextTurn();
    }
  }

  /** The live loop stands still at the position meanwhile. */
  async #handOver(position: number): Promise<void> {
    this.parts.signal.throwIfAborted();
    await this.#pass(position);
    for (const { projection, runner, rebuild } of this.#built) {
      const { collection } = projection;
      if (runner.position !== position)
        throw new Error(
          `The rebuild of ${collection.name} stands at ${runner.position}, the live loop at ${position}.`,
        );
      await this.parts.store.finishRebuild(collection, rebuild);
      await this.parts.replaced(collection.name, runner.saved);
    }
  }

  /**
   * Applies the log to the shadows, from their checkpoint up to a position.
   * @returns the number of events read
   */
  async #pass(upTo: number): Promise<number> {
    const { events: log, options, signal } = this.parts;
    const before = this.#pace.events;
    this.#pace.extend(upTo);
    const after = this.#built[0]?.runner.saved?.checkpoint;
    const pages = log.readAll({ streamPrefixes: options.streamPrefixes, ...(after !== undefined && { after }) });
    for await (const { events, last } of bulkBatches(pages, options.bulkBatchEventsMax, upTo)) {
      signal.throwIfAborted();
      await this.#apply(events, last);
      this.#pace.moved(events.length, last.position);
      await nextTurn();
    }
    return this.#pace.events - before;
  }

  async #apply(events: readonly RecordedEvent[], last: RecordedEvent): Promise<void> {
    const { events: log, store, persistently } = this.parts;
    const at: SavedCheckpoint = { checkpoint: log.checkpointAfter(last), position: last.position };
    const changes = await Promise.all(this.#built.map((built) => this.#changesOf(built, events)));
    const checkpoints = Object.fromEntries(this.#built.map(({ rebuild }) => [rebuild.shadow, at]));
    const writes = changes.flatMap((change) => change?.writes ?? []);
    const prunes = changes.flatMap((change) => change?.prunes ?? []);
    await persistently(() => store.commit({ writes, prunes, checkpoints, position: at.position }));
    for (const { runner } of this.#built) runner.saved = at;
  }

  /** What the events change in one projection; undefined when it fails on one, and is left out from then on. */
  async #changesOf(
    built: Built,
    events: readonly RecordedEvent[],
  ): Promise<{ readonly writes: readonly Write[]; readonly prunes: readonly Prune[] } | undefined> {
    const { runner } = built;
    try {
      const keys = runner.collect(events);
      const loaded = keys.length === 0 ? NO_DOCUMENTS : await this.parts.persistently(() => runner.load(keys));
      const writes: Write[] = [];
      runner.evolve(loaded, writes);
      return { writes, prunes: runner.prunes() };
    } catch (error) {
      if (!(error instanceof ParticipantFailed)) throw error;
      await this.#leaveOut(built, error);
      return undefined;
    }
  }

  async #leaveOut(built: Built, error: ParticipantFailed): Promise<void> {
    this.#failures.set(built.runner.name, error);
    this.#built = this.#built.filter((other) => other !== built);
    await this.parts.store.abandonRebuild(built.rebuild);
    if (this.#built.length === 0) throw error;
  }
}
