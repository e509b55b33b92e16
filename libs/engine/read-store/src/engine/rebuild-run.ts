import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Mutex } from '#kernel';
import type { Projection } from '../projection.js';
import type { Key, Rebuild, SavedCheckpoint } from '../read-store.js';
import { comparePage, type ComparedPage, type Difference } from './comparison.js';
import type { RebuildProgress } from './engine-status.js';
import { failureOf, type ParticipantFailed } from './failures.js';
import { Pace } from './pace.js';
import { ProjectionRunner } from './projection-runner.js';
import { type PassParts, type Shadow, ShadowPass } from './shadow-pass.js';

/** The live loop waits during the handover, which starts when fewer events than this are left. */
export const HANDOVER_EVENTS_MAX = 1_000;
/** Maximum passes over events that arrived meanwhile. A log that grows faster than this is handed over as it is. */
export const PASSES_MAX = 8;

/** What a rebuild works with. */
export interface RebuildParts extends PassParts {
  readonly signal: AbortSignal;
  /** Held by the live loop while it applies a batch. */
  readonly mutex: Mutex;
  /** Position of the live loop. */
  readonly live: () => number;
  /** Runs the swaps while nothing else is done with former builds. */
  readonly exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** When the replaced collections are kept: the time that is noted for them, in ms since the epoch. */
  readonly keepsSinceMs: () => number | undefined;
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
interface Built extends Shadow {
  readonly projection: Projection<object>;
  readonly rebuild: Rebuild;
}

/**
 * Rebuilds projections from the beginning of the log beside the live ones, in one pass over it, and swaps them. One that fails
 * drops out, and the others go on.
 */
export class RebuildRun {
  readonly #pace: Pace;
  readonly #shadows: ShadowPass<Built>;
  readonly #failures = new Map<string, unknown>();

  constructor(
    readonly projections: readonly Projection<object>[],
    private readonly parts: RebuildParts,
  ) {
    this.#pace = new Pace(0, parts.live());
    this.#shadows = new ShadowPass<Built>(parts, [], (built, error) => this.#leaveOut(built, error));
  }

  get #built(): readonly Built[] {
    return this.#shadows.shadows;
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
    const { mutex, live, exclusively } = this.parts;
    try {
      await this.#build();
      await exclusively(() => mutex.run(() => this.#handOver(live())));
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
      const { shadow } = rebuild;
      this.#shadows.shadows = [...this.#built, { projection, runner, rebuild, shadow }];
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
      await this.parts.store.finishRebuild(collection, rebuild, this.parts.keepsSinceMs());
      await this.parts.replaced(collection.name, runner.saved);
    }
  }

  /** @returns the number of events read */
  #pass(upTo: number): Promise<number> {
    this.#pace.extend(upTo);
    return this.#shadows.run(upTo, this.parts.signal, (events, position) => {
      this.#pace.moved(events, position);
    });
  }

  async #leaveOut(built: Built, error: ParticipantFailed): Promise<void> {
    this.#failures.set(built.runner.name, error);
    await this.parts.store.abandonRebuild(built.rebuild);
    if (this.#built.length === 0) throw error;
  }
}
