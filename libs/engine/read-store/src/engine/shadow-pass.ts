import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStore, RecordedEvent } from '#event-store';
import type { Prune, ReadStore, SavedCheckpoint, Write } from '../read-store.js';
import { bulkBatches } from './bulk-batches.js';
import type { EngineOptions } from './engine-status.js';
import { ParticipantFailed } from './failures.js';
import type { Persistently } from './projection-group.js';
import { NO_DOCUMENTS, type ProjectionRunner } from './projection-runner.js';

/** A projection that is written beside the live loop. */
export interface Shadow {
  /** Name for its checkpoint. */
  readonly shadow: string;
  readonly runner: ProjectionRunner;
}

export interface PassParts {
  readonly events: EventStore;
  readonly store: ReadStore;
  readonly options: EngineOptions;
  readonly persistently: Persistently;
}

/** Applies the log to shadows that stand at the same position, in one read of it. One that fails on an event is left out from then on. */
export class ShadowPass<Kind extends Shadow> {
  constructor(
    private readonly parts: PassParts,
    public shadows: readonly Kind[],
    private readonly onFailed: (shadow: Kind, error: ParticipantFailed) => Promise<void>,
  ) {}

  /**
   * From their checkpoint up to a position.
   * @param moved called after each batch
   * @returns the number of events read
   */
  async run(
    upTo: number,
    signal: AbortSignal,
    moved: (events: number, position: number) => void = () => undefined,
  ): Promise<number> {
    const { events: log, options } = this.parts;
    let read = 0;
    const after = this.shadows[0]?.runner.saved?.checkpoint;
    const pages = log.readAll({ streamPrefixes: options.streamPrefixes, ...(after !== undefined && { after }) });
    const { shadows } = this;
    for (const { runner } of shadows) runner.remember();
    try {
      for await (const { events, last } of bulkBatches(pages, options.bulkBatchEventsMax, upTo)) {
        signal.throwIfAborted();
        await this.#apply(events, last);
        if (this.shadows.length === 0) break;
        read += events.length;
        moved(events.length, last.position);
        await nextTurn();
      }
    } finally {
      for (const { runner } of shadows) runner.forget();
    }
    return read;
  }

  async #apply(events: readonly RecordedEvent[], last: RecordedEvent): Promise<void> {
    const { events: log, store, persistently } = this.parts;
    const at: SavedCheckpoint = { checkpoint: log.checkpointAfter(last), position: last.position };
    const changes = await Promise.all(this.shadows.map((shadow) => this.#changesOf(shadow, events)));
    if (this.shadows.length === 0) return;
    const checkpoints = Object.fromEntries(this.shadows.map(({ shadow }) => [shadow, at]));
    const writes = changes.flatMap((change) => change?.writes ?? []);
    const prunes = changes.flatMap((change) => change?.prunes ?? []);
    await persistently(() => store.commit({ writes, prunes, checkpoints, position: at.position }));
    for (const { runner } of this.shadows) runner.committed(at);
  }

  /** What the events change in one projection; undefined when it fails on one. */
  async #changesOf(
    shadow: Kind,
    events: readonly RecordedEvent[],
  ): Promise<{ readonly writes: readonly Write[]; readonly prunes: readonly Prune[] } | undefined> {
    const { runner } = shadow;
    try {
      const keys = runner.collect(events);
      const loaded = keys.length === 0 ? NO_DOCUMENTS : await this.parts.persistently(() => runner.load(keys));
      const writes: Write[] = [];
      runner.evolve(loaded, writes);
      return { writes, prunes: runner.prunes() };
    } catch (error) {
      if (!(error instanceof ParticipantFailed)) throw error;
      this.shadows = this.shadows.filter((other) => other !== shadow);
      await this.onFailed(shadow, error);
      return undefined;
    }
  }
}
