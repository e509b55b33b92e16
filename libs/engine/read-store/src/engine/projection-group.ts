import type { EventStore, RecordedEvent } from '#event-store';
import { DamagedRecord } from '#event-store';
import { ReadModelsPutBack, ReadStoreDamaged, ReadStoreUnavailable, WriterReplaced } from '../read-store.js';
import type { Follower, Projection } from '../projection.js';
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
import { FollowerRunner } from './follower-runner.js';
import { ParticipantFailed } from './failures.js';
import { NO_DOCUMENTS, ProjectionRunner } from './projection-runner.js';

/** Retries work that a failing store prevents. */
export type Persistently = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Opened {
  readonly collection: Collection<object>;
  readonly saved: SavedCheckpoint | undefined;
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

  constructor(
    private readonly events: EventStore,
    private readonly store: ReadStore,
    private readonly persistently: Persistently,
  ) {}

  get participants(): readonly Participant[] {
    return [...this.projections, ...this.followers];
  }

  projection(name: string): ProjectionRunner | undefined {
    return this.projections.find((runner) => runner.name === name);
  }

  /**
   * Opens the collections and returns where the log must be read from; undefined for its beginning.
   * @throws DamagedRecord when a participant has seen events that the log does not have
   */
  async open(
    projections: readonly Projection<object>[],
    followers: readonly Follower[],
  ): Promise<SavedCheckpoint | undefined> {
    const names = [...projections, ...followers].map(({ collection }) => collection.name);
    const twice = names.find((name, index) => names.indexOf(name) < index);
    if (twice !== undefined) throw new Error(`Two participants write the collection ${twice}.`);
    const head = await this.events.head();
    for (const projection of projections) {
      const { collection, saved } = await this.#open(projection.collection, head);
      const runner = new ProjectionRunner(projection, projection.collection.name, collection);
      runner.saved = saved;
      this.#add(runner);
    }
    for (const follower of followers) {
      const runner = new FollowerRunner(follower);
      const { saved } = await this.#open(follower.collection, head);
      await runner.restore(saved);
      this.followers.push(runner);
    }
    const resumes = [
      ...this.projections.map(({ saved }) => saved),
      ...this.followers.map(({ resumeAfter }) => resumeAfter),
    ];
    return resumes.reduce((first, next) => ((next?.position ?? 0) < (first?.position ?? 0) ? next : first), resumes[0]);
  }

  /** Applies a batch to every participant, in one commit. The batch is in log order and not empty. */
  async apply(events: readonly RecordedEvent[], last: RecordedEvent): Promise<SavedCheckpoint> {
    const at = { checkpoint: this.events.checkpointAfter(last), position: last.position };
    const writes: Write[] = [];
    const readers = this.#readersOf(events);
    const needed = readers.map((runner) => runner.collect(events));
    const loaded = needed.some((keys) => keys.length > 0) ? await this.#load(readers, needed, events, last) : [];
    readers.forEach((runner, index) => runner.evolve(loaded[index] ?? NO_DOCUMENTS, writes));
    for (const event of events) for (const runner of this.followers) runner.follow(event, writes);
    const prunes: Prune[] = readers.flatMap((runner) => runner.prunes());
    await this.#commit({ writes, prunes }, at, events, last);
    for (const runner of this.projections) if (runner.position < at.position) runner.saved = at;
    for (const runner of this.followers) runner.committed(events, at);
    return at;
  }

  async #open(schema: CollectionSchema, head: number): Promise<Opened> {
    const collection = await this.persistently(() => this.store.collection(schema));
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
   * Checks each participant's checkpoint: the log is read from the earliest one, which may be its beginning.
   * @throws DamagedRecord
   */
  async #assertSameLog({ checkpoint }: SavedCheckpoint): Promise<void> {
    // The store verifies the checkpoint before it reads on.
    const pages = this.events.readAll({ after: checkpoint })[Symbol.asyncIterator]();
    await pages.next();
    await pages.return?.();
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
    for (const { type } of events) for (const runner of this.#readers.get(type) ?? NOBODY) found.add(runner);
    return [...found];
  }

  #load(
    readers: readonly ProjectionRunner[],
    needed: readonly (readonly Key[])[],
    events: readonly RecordedEvent[],
    last: RecordedEvent,
  ): Promise<ReadonlyMap<Key, object>[]> {
    return Promise.all(
      readers.map((runner, index) => {
        const keys = needed[index] ?? [];
        if (keys.length === 0) return Promise.resolve(NO_DOCUMENTS);
        return this.persistently(() => runner.load(keys)).catch(culprit(runner.name, events, last));
      }),
    );
  }

  async #commit(
    { writes, prunes }: { readonly writes: readonly Write[]; readonly prunes: Prune[] },
    at: SavedCheckpoint,
    events: readonly RecordedEvent[],
    last: RecordedEvent,
  ): Promise<void> {
    const checkpoints: Record<string, SavedCheckpoint> = {};
    let behind = 0;
    for (const runner of this.projections) behind += note(runner, at, checkpoints);
    for (const runner of this.followers) behind += note(runner, at, checkpoints);
    // No collection lacks these events: they were replayed only to restore a state.
    if (behind === 0) return;
    for (const { follower } of this.followers) if (follower.prunes !== undefined) prunes.push(...follower.prunes());
    const commit: Commit = { writes, prunes, checkpoints, position: at.position, passed: at.position };
    await this.persistently(() => this.store.commit(commit)).catch(culprit(COMMIT, events, last));
  }
}

const COMMIT = 'commit';
const NOBODY: readonly ProjectionRunner[] = [];

function note(runner: Participant, at: SavedCheckpoint, checkpoints: Record<string, SavedCheckpoint>): number {
  if (runner.position >= at.position) return 0;
  checkpoints[runner.name] = at;
  return 1;
}

/** A permanent refusal by the store was caused by some event of the batch. */
function culprit(
  participant: string,
  events: readonly RecordedEvent[],
  last: RecordedEvent,
): (error: unknown) => never {
  return (error) => {
    // The followers have seen the events of a commit, which must not be tried again.
    if (error instanceof ReadStoreDamaged && participant === COMMIT)
      throw new ReadStoreDamaged(error.message, { cause: error });
    // The store itself has moved on: that is no event's fault.
    const isOfTheStore = [ReadStoreUnavailable, ReadStoreDamaged, ReadModelsPutBack, WriterReplaced].some(
      (kind) => error instanceof kind,
    );
    throw isOfTheStore ? error : new ParticipantFailed(participant, events[0] ?? last, error, [...events, last]);
  };
}
