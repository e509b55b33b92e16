import type { EventStore, RecordedEvent } from '#event-store';
import { DamagedRecord } from '#event-store';
import { ReadModelsPutBack, ReadStoreDamaged, ReadStoreUnavailable, WriterReplaced } from '../read-store.js';
import type { Projection } from '../projection.js';
import type {
  Collection,
  CollectionSchema,
  Commit,
  Key,
  Prune,
  ReadStore,
  SavedCheckpoint,
  Write,
} from '../read-store.js';
import type { FollowerRunner } from './follower-runner.js';
import { ParticipantFailed } from './failures.js';
import { NO_DOCUMENTS, ProjectionRunner } from './projection-runner.js';

/** Retries work that a failing store prevents. */
export type Persistently = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Opened {
  readonly collection: Collection<object>;
  readonly saved: SavedCheckpoint | undefined;
}

/** What a batch changes in one projection. */
interface Changes {
  readonly writes: readonly Write[];
  readonly prunes: readonly Prune[];
}

type Participant = ProjectionRunner | FollowerRunner;

/**
 * Moves all participants over the log together: one commit per batch holds the documents and checkpoints of all of
 * them. A participant that is behind (it is new, or its collection was dropped) receives the missing events alone.
 */
export class ProjectionGroup {
  readonly projections: ProjectionRunner[] = [];
  readonly followers: FollowerRunner[] = [];
  /** Runners of the projections that read events of a type. */
  readonly #readers = new Map<string, ProjectionRunner[]>();
  /** The last checkpoint that was found in the log. */
  #proved: string | undefined;

  constructor(
    private readonly events: EventStore,
    private readonly store: ReadStore,
    private readonly persistently: Persistently,
    /** Tells those who read a projection that it is set aside, before it falls behind. */
    private readonly onSetAside: (runner: ProjectionRunner) => Promise<void>,
  ) {}

  get participants(): readonly Participant[] {
    return [...this.projections, ...this.followers];
  }

  /** Projections that end before another participant does. Each commit moves all of them, except those that are set aside. */
  get behind(): readonly ProjectionRunner[] {
    const furthest = Math.max(...this.participants.map(({ position }) => position));
    return this.projections.filter(({ saved }) => saved !== undefined && saved.position < furthest);
  }

  /** Remembers documents from one batch to the next while it catches up (`ProjectionRunner.remember`). */
  remember(isToRemember: boolean): void {
    for (const runner of this.projections)
      if (isToRemember) runner.remember();
      else runner.forget();
  }

  projection(name: string): ProjectionRunner | undefined {
    return this.projections.find((runner) => runner.name === name);
  }

  /**
   * Opens the collections and returns where the log must be read from; undefined for its beginning.
   * @param followers whose states may have followed the log already
   * @throws DamagedRecord when a participant has seen events that the log does not have
   */
  async open(
    projections: readonly Projection<object>[],
    followers: readonly FollowerRunner[],
  ): Promise<SavedCheckpoint | undefined> {
    const names = [...projections, ...followers.map(({ follower }) => follower)].map(
      ({ collection }) => collection.name,
    );
    const twice = names.find((name, index) => names.indexOf(name) < index);
    if (twice !== undefined) throw new Error(`Two participants write the collection ${twice}.`);
    const head = await this.events.head();
    for (const projection of projections) {
      const { collection, saved } = await this.#open(projection.collection, head);
      const runner = new ProjectionRunner(projection, projection.collection.name, collection);
      runner.saved = saved;
      this.#add(runner);
    }
    for (const runner of followers) {
      const { saved } = await this.#open(runner.follower.collection, head);
      await runner.restore(saved);
      this.followers.push(runner);
    }
    const resumes = [
      ...this.projections.map(({ saved }) => saved),
      ...this.followers.map(({ resumeAfter }) => resumeAfter),
    ];
    return resumes.reduce((first, next) => ((next?.position ?? 0) < (first?.position ?? 0) ? next : first), resumes[0]);
  }

  /**
   * Applies a batch to every participant, in one commit. The batch is in log order and not empty. A projection that fails on an
   * event is set aside, and the others go on.
   * @throws ParticipantFailed of a follower, or of an event that is not known to be one projection's fault
   */
  async apply(events: readonly RecordedEvent[], last: RecordedEvent): Promise<SavedCheckpoint> {
    const at = { checkpoint: this.events.checkpointAfter(last), position: last.position };
    const changes = await this.#changesOf(events, last);
    const own: Write[] = [];
    for (const event of events) for (const runner of this.followers) runner.follow(event, own);
    await this.#commit(changes, own, at, events, last);
    for (const runner of this.projections)
      if (runner.failure === undefined && runner.position < at.position) runner.committed(at);
    for (const runner of this.followers) runner.committed(events, at);
    return at;
  }

  /** What the batch changes, by projection. */
  async #changesOf(events: readonly RecordedEvent[], last: RecordedEvent): Promise<Map<ProjectionRunner, Changes>> {
    const readers = this.#readersOf(events);
    try {
      return await this.#changesOfAll(readers, events, last);
    } finally {
      // Also when a document that another one needs is damaged: the batch is applied again without those that failed.
      for (const runner of readers) if (runner.failure !== undefined) await this.onSetAside(runner);
    }
  }

  async #changesOfAll(
    readers: readonly ProjectionRunner[],
    events: readonly RecordedEvent[],
    last: RecordedEvent,
  ): Promise<Map<ProjectionRunner, Changes>> {
    const needed = new Map<ProjectionRunner, readonly Key[]>();
    for (const runner of readers) {
      const keys = attempt(runner, () => runner.collect(events));
      if (keys !== undefined) needed.set(runner, keys);
    }
    const isToLoad = [...needed.values()].some((keys) => keys.length > 0);
    const loaded = isToLoad ? await this.#load([...needed], events, last) : undefined;
    const changes = new Map<ProjectionRunner, Changes>();
    for (const runner of needed.keys()) {
      if (runner.failure !== undefined) continue;
      const writes: Write[] = [];
      const prunes = attempt(runner, () => {
        runner.evolve(loaded?.get(runner) ?? NO_DOCUMENTS, writes);
        return runner.prunes();
      });
      if (prunes !== undefined) changes.set(runner, { writes, prunes });
    }
    return changes;
  }

  /** The projection's collection was replaced by one that is at this position. */
  replaced(name: string, saved: SavedCheckpoint | undefined): void {
    const runner = this.projection(name);
    if (runner?.failure === undefined) return;
    runner.failure = undefined;
    runner.saved = saved;
  }

  async #open(schema: CollectionSchema, head: number): Promise<Opened> {
    const collection = await this.persistently(() => this.store.collection(schema, { isLoading: true }));
    const saved = await this.persistently(() => this.store.checkpoint(schema.name));
    if (saved !== undefined && saved.position > head) {
      throw new DamagedRecord(
        head + 1,
        `the log ends at ${head}, but ${schema.name} has seen events up to ${saved.position}; acknowledged events are missing ` +
          '(after restoring an older backup on purpose, delete the read models)',
      );
    }
    if (saved !== undefined) await this.#assertSameLog(saved);
    return { collection, saved };
  }

  /**
   * Checks each participant's checkpoint: the log is read from the earliest one, which may be its beginning. Most have the same one.
   * @throws DamagedRecord
   */
  async #assertSameLog({ checkpoint }: SavedCheckpoint): Promise<void> {
    if (this.#proved === checkpoint) return;
    // The store verifies the checkpoint before it reads on.
    const pages = this.events.readAll({ after: checkpoint })[Symbol.asyncIterator]();
    await pages.next();
    await pages.return?.();
    this.#proved = checkpoint;
  }

  #add(runner: ProjectionRunner): void {
    this.projections.push(runner);
    for (const type of runner.projection.handles) {
      const others = this.#readers.get(type);
      if (others === undefined) this.#readers.set(type, [runner]);
      else others.push(runner);
    }
  }

  /** Most events concern few of the projections. */
  #readersOf(events: readonly RecordedEvent[]): readonly ProjectionRunner[] {
    const found = new Set<ProjectionRunner>();
    for (const { type } of events)
      for (const runner of this.#readers.get(type) ?? NOBODY) if (runner.failure === undefined) found.add(runner);
    return [...found];
  }

  async #load(
    needed: readonly (readonly [ProjectionRunner, readonly Key[]])[],
    events: readonly RecordedEvent[],
    last: RecordedEvent,
  ): Promise<Map<ProjectionRunner, ReadonlyMap<Key, object>>> {
    const loaded = new Map<ProjectionRunner, ReadonlyMap<Key, object>>();
    await Promise.all(
      needed.map(async ([runner, keys]) => {
        if (keys.length === 0) return;
        try {
          loaded.set(runner, await this.persistently(() => runner.load(keys)));
        } catch (error) {
          if (isOfTheStore(error)) throw error;
          runner.failure = failed(runner.name, events, last, error);
        }
      }),
    );
    return loaded;
  }

  async #commit(
    changes: ReadonlyMap<ProjectionRunner, Changes>,
    own: readonly Write[],
    at: SavedCheckpoint,
    events: readonly RecordedEvent[],
    last: RecordedEvent,
  ): Promise<void> {
    const followerPrunes = this.followers.flatMap(({ follower }) => [...(follower.prunes?.() ?? [])]);
    const commitOf = (without?: ProjectionRunner): Commit | undefined => {
      const checkpoints: Record<string, SavedCheckpoint> = {};
      let behind = 0;
      for (const runner of this.projections)
        if (runner.failure === undefined && runner !== without) behind += note(runner, at, checkpoints);
      for (const runner of this.followers) behind += note(runner, at, checkpoints);
      // No collection lacks these events: they were replayed only to restore a state.
      if (behind === 0) return undefined;
      const parts = [...changes].filter(([runner]) => runner !== without).map(([, part]) => part);
      const writes = [...parts.flatMap((part) => part.writes), ...own];
      const prunes = [...parts.flatMap((part) => part.prunes), ...followerPrunes];
      return { writes, prunes, checkpoints, position: at.position, passed: at.position };
    };
    const committed = async (without?: ProjectionRunner): Promise<void> => {
      const commit = commitOf(without);
      if (commit !== undefined) await this.persistently(() => this.store.commit(commit));
    };
    try {
      await committed();
    } catch (error) {
      // The followers have seen the events of a commit, which must not be tried again.
      if (error instanceof ReadStoreDamaged) throw new ReadStoreDamaged(error.message, { cause: error });
      if (isOfTheStore(error)) throw error;
      for (const runner of changes.keys()) {
        // Nothing of a refused commit was applied, so the one without which it is accepted is at fault.
        const isCulprit = await committed(runner).then(
          () => true,
          (other: unknown) => {
            if (isOfTheStore(other)) throw other;
            return false;
          },
        );
        if (!isCulprit) continue;
        runner.failure = failed(runner.name, events, last, error);
        await this.onSetAside(runner);
        return;
      }
      throw failed(COMMIT, events, last, error);
    }
  }
}

const COMMIT = 'commit';
const NOBODY: readonly ProjectionRunner[] = [];

function note(runner: Participant, at: SavedCheckpoint, checkpoints: Record<string, SavedCheckpoint>): number {
  if (runner.position >= at.position) return 0;
  checkpoints[runner.name] = at;
  return 1;
}

/** @returns undefined when it failed on an event, and the projection is set aside */
function attempt<Result>(runner: ProjectionRunner, work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ParticipantFailed)) throw error;
    runner.failure = error;
    return undefined;
  }
}

/** A permanent refusal by the store was caused by some event of the batch. */
function failed(
  participant: string,
  events: readonly RecordedEvent[],
  last: RecordedEvent,
  cause: unknown,
): ParticipantFailed {
  return new ParticipantFailed(participant, events[0] ?? last, cause, [...events, last]);
}

/** The store itself has moved on or is damaged: that is no event's fault. */
function isOfTheStore(error: unknown): boolean {
  return [ReadStoreUnavailable, ReadStoreDamaged, ReadModelsPutBack, WriterReplaced].some(
    (kind) => error instanceof kind,
  );
}
