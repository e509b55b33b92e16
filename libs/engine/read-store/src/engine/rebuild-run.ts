import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStore } from '#event-store';
import type { Mutex } from '#kernel';
import type { Projection } from '../projection.js';
import type { ReadStore, Rebuild, SavedCheckpoint, Write } from '../read-store.js';
import { bulkBatches } from './bulk-batches.js';
import type { EngineOptions, RebuildProgress } from './engine-status.js';
import { Pace } from './pace.js';
import type { Persistently } from './projection-group.js';
import { NO_DOCUMENTS, ProjectionRunner } from './projection-runner.js';

/** The live loop waits during the handover, which starts when fewer events than this are left. */
const HANDOVER_EVENTS_MAX = 1_000;
/** Maximum passes over events that arrived meanwhile. A log that grows faster than this is handed over as it is. */
const PASSES_MAX = 8;

/** Rebuilds one projection from the beginning of the log beside the live one, and swaps them. */
export class RebuildRun {
  readonly #pace: Pace;

  constructor(
    private readonly projection: Projection<object>,
    private readonly events: EventStore,
    private readonly store: ReadStore,
    private readonly options: EngineOptions,
    private readonly persistently: Persistently,
    private readonly signal: AbortSignal,
    /** Position of the live loop. */
    private readonly live: () => number,
  ) {
    this.#pace = new Pace(0, live());
  }

  get progress(): RebuildProgress {
    return { name: this.projection.collection.name, ...this.#pace.progress };
  }

  async run(mutex: Mutex): Promise<void> {
    const { store, live } = this;
    const { collection } = this.projection;
    const rebuild = await store.startRebuild(collection);
    const runner = new ProjectionRunner(this.projection, rebuild.shadow, store.shadow(rebuild));
    // Never beyond the live loop, so that the two can meet.
    await this.#pass(runner, rebuild, live());
    await store.indexRebuild(rebuild);
    for (let pass = 1; pass < PASSES_MAX; pass++) {
      if ((await this.#pass(runner, rebuild, live())) < HANDOVER_EVENTS_MAX) break;
    }
    await mutex.run(async () => {
      this.signal.throwIfAborted();
      const position = live();
      await this.#pass(runner, rebuild, position);
      if (runner.position !== position) {
        throw new Error(
          `The rebuild of ${collection.name} stands at ${runner.position}, the live loop at ${position}.`,
        );
      }
      await store.finishRebuild(collection, rebuild);
    });
  }

  /**
   * Applies the log to the shadow, from its checkpoint up to a position.
   * @returns the number of events read
   */
  async #pass(runner: ProjectionRunner, rebuild: Rebuild, upTo: number): Promise<number> {
    const before = this.#pace.events;
    this.#pace.extend(upTo);
    const { streamPrefixes, bulkBatchEventsMax } = this.options;
    const after = runner.saved?.checkpoint;
    const pages = this.events.readAll({ streamPrefixes, ...(after !== undefined && { after }) });
    for await (const { events, last } of bulkBatches(pages, bulkBatchEventsMax, upTo)) {
      this.signal.throwIfAborted();
      const keys = runner.collect(events);
      const loaded = keys.length === 0 ? NO_DOCUMENTS : await this.persistently(() => runner.load(keys));
      const writes: Write[] = [];
      runner.evolve(loaded, writes);
      const at: SavedCheckpoint = { checkpoint: this.events.checkpointAfter(last), position: last.position };
      const checkpoints = { [rebuild.shadow]: at };
      await this.persistently(() =>
        this.store.commit({ writes, prunes: runner.prunes(), checkpoints, position: at.position }),
      );
      runner.saved = at;
      this.#pace.moved(events.length, at.position);
      await nextTurn();
    }
    return this.#pace.events - before;
  }
}
