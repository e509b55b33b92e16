import { badRequest, Mutex, type JsonObject } from '#kernel';
import type { Projection } from '../projection.js';
import { type FormerBuild, ReadStoreDamaged, type SavedCheckpoint } from '../read-store.js';
import type { FormerStatus } from './engine-status.js';
import { failureOf, type ParticipantFailed } from './failures.js';
import { notReady } from './position-waiters.js';
import { ProjectionRunner } from './projection-runner.js';
import { HANDOVER_EVENTS_MAX, PASSES_MAX } from './rebuild-run.js';
import { type PassParts, type Shadow, ShadowPass } from './shadow-pass.js';

export interface FormerParts extends PassParts {
  /** Held by the live loop while it applies a batch. */
  readonly mutex: Mutex;
  /** Position of the live loop. */
  readonly live: () => number;
  /** Aborted when the engine stops. */
  readonly signal: AbortSignal;
  /** A projection's former build is live, at the checkpoint. */
  readonly replaced: (name: string, saved: SavedCheckpoint | undefined) => Promise<void>;
  readonly tell: (level: 'info' | 'warn', message: string, data: JsonObject) => void;
}

/** What an exchange has done. */
export interface Undone {
  readonly name: string;
  /** Position of both when they changed places. */
  readonly position: number;
  /** When the build that is live again had been replaced, in ms since the epoch. */
  readonly replacedAtMs: number;
}

/** A former build that is kept. */
interface Kept extends Shadow {
  readonly projection: Projection<object>;
  readonly build: FormerBuild;
  /** On which event it failed since it was replaced. */
  failure?: ParticipantFailed;
}

/**
 * The builds of projections that rebuilds have replaced, kept for a while beside the live ones: one for each projection. They follow the
 * log at a distance, so that one can take its place again at once (ADR 53).
 */
export class FormerBuilds {
  #kept: ReadonlyMap<string, Kept> = new Map();
  /** Undefined until they are opened: a damaged collection may be mended before. */
  #projections: readonly Projection<object>[] | undefined;
  /** Held by whoever writes or replaces former builds. */
  readonly #mutex = new Mutex();
  #following = new AbortController();
  #isFollowing = false;

  constructor(private readonly parts: FormerParts) {}

  /** Finds those that are in the store; those of projections that are gone are dropped. */
  async open(projections: readonly Projection<object>[]): Promise<void> {
    this.#projections = projections;
    await this.#read();
  }

  /** The former build of a projection, if there is one. */
  statusOf(name: string): FormerStatus | undefined {
    const kept = this.#kept.get(name);
    if (kept === undefined) return undefined;
    const { build, runner, failure } = kept;
    return {
      replacedAtMs: build.sinceMs,
      keptUntilMs: build.sinceMs + this.parts.options.formerKeptMs,
      position: runner.position,
      ...(failure !== undefined && { failure: failureOf(failure) }),
    };
  }

  /** Runs what replaces former builds, while nothing else is done with them. */
  async exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#following.abort();
    return this.#mutex.run(async () => {
      try {
        return await work();
      } finally {
        this.#kept = new Map();
        await this.#read();
      }
    });
  }

  /** Drops those whose time is over, and brings the others closer to the end of the log. Returns at once while it goes on. */
  async follow(): Promise<void> {
    if (this.#isFollowing || this.#kept.size === 0) return;
    this.#isFollowing = true;
    this.#following = new AbortController();
    const signal = AbortSignal.any([this.parts.signal, this.#following.signal]);
    try {
      await this.#mutex.run(() => this.#follow(signal));
    } catch (error) {
      // What asked for the exclusive right, or ended the engine, goes first; a damaged one is mended with the live one.
      if (!signal.aborted && !(error instanceof ReadStoreDamaged)) throw error;
    } finally {
      this.#isFollowing = false;
    }
  }

  /**
   * Brings the former build up to the live one's position, and exchanges the two. The live one serves until then, and is the former
   * build afterwards.
   * @throws Refusal BAD_REQUEST when none is kept, or it fails on an event; SERVER_NOT_READY when it is damaged
   */
  async undo(name: string): Promise<Undone> {
    return this.exclusively(async () => {
      const kept = this.#kept.get(name);
      if (kept === undefined) throw badRequest(`No former build of '${name}' is kept.`);
      try {
        return await this.#exchange(kept);
      } catch (error) {
        if (!(error instanceof ReadStoreDamaged)) throw error;
        throw notReady(`The former build of '${name}' is damaged; the live one stays.`);
      }
    });
  }

  async #exchange(kept: Kept): Promise<Undone> {
    const { live, mutex, signal, store, replaced } = this.parts;
    const { projection, runner, build } = kept;
    const { name } = build;
    const pass = new ShadowPass<Kept>(this.parts, [kept], (_, error) => {
      kept.failure = error;
      throw badRequest(`The former build of '${name}' fails on an event that arrived since; the live one stays.`);
    });
    for (let passes = 0; passes < PASSES_MAX; passes++)
      if ((await pass.run(live(), signal)) < HANDOVER_EVENTS_MAX) break;
    return mutex.run(async () => {
      const position = live();
      if (runner.position < position) await pass.run(position, signal);
      signal.throwIfAborted();
      if (runner.position !== position)
        throw new Error(`The former build of ${name} stands at ${runner.position}, the live loop at ${position}.`);
      await store.exchangeFormer(projection.collection, Date.now());
      await replaced(name, runner.saved);
      return { name, position, replacedAtMs: build.sinceMs };
    });
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { options, store, live, tell } = this.parts;
    for (const { build } of this.#kept.values()) {
      if (Date.now() - build.sinceMs < options.formerKeptMs) continue;
      await store.dropFormer(build.name);
      tell('info', 'A former build of a projection is not kept any longer.', { projection: build.name });
    }
    await this.#read();
    for (const group of this.#groups()) {
      if (group.every(({ runner }) => runner.position >= live())) continue;
      const pass = new ShadowPass<Kept>(this.parts, group, async (kept, error) => {
        kept.failure = error;
        tell('warn', 'A former build of a projection fails on an event. It cannot take its place again.', {
          projection: kept.build.name,
          ...failureOf(error),
        });
      });
      await pass.run(live(), signal);
    }
  }

  /** Those that stand at the same position: they share a read of the log. */
  #groups(): readonly (readonly Kept[])[] {
    const groups = new Map<number, Kept[]>();
    for (const kept of this.#kept.values()) {
      if (kept.failure !== undefined) continue;
      const { position } = kept.runner;
      groups.set(position, [...(groups.get(position) ?? []), kept]);
    }
    return [...groups.values()];
  }

  /** Learns which are in the store now. Those that are known already keep what is known of them. */
  async #read(): Promise<void> {
    const { store, persistently } = this.parts;
    if (this.#projections === undefined) return;
    const schemas = this.#projections.map(({ collection }) => collection);
    const known = new Map(this.#projections.map((projection) => [projection.collection.name, projection]));
    const builds = await persistently(() => store.formers(schemas));
    const kept = new Map<string, Kept>();
    for (const build of builds) {
      const { name, shadow, sinceMs } = build;
      const projection = known.get(name);
      const before = this.#kept.get(name);
      if (projection === undefined) continue;
      if (before?.build.sinceMs === sinceMs) {
        kept.set(name, before);
        continue;
      }
      const runner = new ProjectionRunner(projection, shadow, store.shadow({ shadow }));
      runner.saved = await persistently(() => store.checkpoint(shadow));
      kept.set(name, { projection, build, runner, shadow });
    }
    this.#kept = kept;
  }
}
