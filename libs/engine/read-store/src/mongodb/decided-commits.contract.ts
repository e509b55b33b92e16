import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { type MongoForTests, rounds, until } from '#testing';
import { ReadStoreUnavailable } from '../read-store.js';
import type { Collection, Commit, Key, Prune, ReadStore, Write } from '../read-store.js';
import type { MongoReadStore } from './mongo-read-store.js';
import type { MongoReadStores } from './mongo-read-stores.js';
import { BoundedCollection } from './bounded-collection.js';
import { Stop } from './commit/stop.fixture.js';
import { MongoHarness } from './mongo.fixture.js';

/** Longer than the reads that come meanwhile. */
const STEP_MS = 30;

interface Note {
  readonly n: number;
}

const notes = { name: 'notes', key: 'integer', fields: {}, indexes: [] } as const;
const people = { name: 'people', key: 'text', fields: {}, indexes: [] } as const;
/** Ranges are removed from the lower end, and nothing there is written again. */
const FLOOR_MAX = 12;
const KEYS: readonly Key[] = Array.from({ length: FLOOR_MAX + 8 }, (_, key) => key);
const NAMES: readonly Key[] = KEYS.map((key) => `p${String(key).padStart(2, '0')}`);

type Content = Map<Key, Note>;

type Act =
  | {
      readonly act: 'commit';
      readonly puts: readonly number[];
      readonly removals: readonly number[];
      readonly pruned: number;
    }
  | { readonly act: 'read here' | 'read there' | 'read elsewhere' | 'settle' | 'slow' | 'fail' | 'crash' | 'thaw' }
  /** The writer stops before a step, and another one takes over before anything else is read. */
  | { readonly act: 'freeze'; readonly before: string };

const commits = fc.record({
  act: fc.constant('commit' as const),
  puts: fc.array(fc.nat(7), { maxLength: 4 }),
  removals: fc.array(fc.nat(7), { maxLength: 2 }),
  pruned: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(2)),
});
const others = fc.record({
  act: fc.constantFrom(
    ...(['read here', 'read here', 'read here', 'read there', 'read elsewhere', 'settle', 'slow', 'slow'] as const),
    ...(['fail', 'crash', 'thaw'] as const),
  ),
});
const freezes = fc.record({
  act: fc.constant('freeze' as const),
  before: fc.constantFrom('decide', 'part', 'insert', 'replace', 'prune', 'state'),
});
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof({ weight: 8, arbitrary: commits }, { weight: 8, arbitrary: others }, { weight: 1, arbitrary: freezes }),
  { minLength: 5, maxLength: 40 },
);

/** A writer, how its steps go on, and a commit of it whose end is not known. */
interface Writing {
  hasCrashed: boolean;
  /** Before which step it stops, until then. */
  frozen: { readonly before: string; readonly thawed: Promise<void>; readonly thaw: () => void } | undefined;
  /** Resolves when it has stopped there. */
  whenStopped: Promise<void>;
  stopped: () => void;
}

/** A writer whose documents are written later, at random with failures, and what it has decided. */
class Story {
  readonly #model = new Map<string, Content>([
    ['notes', new Map()],
    ['people', new Map()],
  ]);
  #position = 0;
  #floor = 0;
  /** Steps of commits that will fail, and that will take a while. */
  #failing = 0;
  #slow = 0;
  #writing: Writing = newWriting();
  /** Writers that stopped in the middle and were replaced, with what they were about to commit. */
  #former: {
    readonly store: MongoReadStore;
    readonly writing: Writing;
    readonly pending: Promise<unknown> | undefined;
  }[] = [];

  private constructor(
    private readonly harness: MongoHarness,
    private readonly readers: readonly MongoReadStores[],
    private writer: MongoReadStore,
  ) {}

  static async start(harness: MongoHarness): Promise<Story> {
    const readers = [await harness.open(), await harness.open()];
    const story = new Story(harness, readers, undefined as unknown as MongoReadStore);
    await story.#open();
    return story;
  }

  async run(act: Act): Promise<void> {
    switch (act.act) {
      case 'commit':
        return this.#commit(act);
      case 'read here':
        return this.#compare(this.writer);
      case 'read there':
        return this.#readAt(this.readers[0]!);
      case 'read elsewhere':
        return this.#readAt(this.readers[1]!);
      case 'settle':
        return patiently(() => this.writer.settled());
      case 'slow':
        this.#slow = 5;
        return;
      case 'fail':
        this.#failing = 2;
        return;
      case 'crash':
        // Nothing that it had not begun reaches the server.
        this.#writing.hasCrashed = true;
        return this.#open();
      case 'freeze':
        return this.#freeze(act.before);
      case 'thaw':
        return this.thaw();
    }
  }

  /** Former writers go on: what they do now must change nothing. */
  async thaw(): Promise<void> {
    // FerretDB reads and writes a document in two steps, so two writers at once would undo each other's: one after the other.
    if (this.#former.length > 0) await patiently(() => this.writer.settled());
    for (const { store, writing, pending } of this.#former) {
      writing.frozen?.thaw();
      // Refused, unless it was decided before the successor came.
      await pending;
      await store.close({ isLost: true });
    }
    this.#former = [];
  }

  async #readAt(stores: MongoReadStores): Promise<void> {
    expect(await stores.progress.position()).toBe(this.#position);
    return this.#compare(stores.reading());
  }

  /** Commits until the writer stops before the step, and goes on with another one. */
  async #freeze(before: string): Promise<void> {
    const writing = this.#writing;
    let thaw = (): void => undefined;
    const thawed = new Promise<void>((resolve) => (thaw = resolve));
    writing.frozen = { before, thawed, thaw };
    const position = this.#position + 1;
    const commit = this.#commitOf(position, [1, 4], [2], before === 'prune' ? 1 : 0);
    const ended = this.writer.commit(commit.commit).then(
      () => 'acknowledged',
      (error: unknown) => error,
    );
    const first = await Promise.race([ended, writing.whenStopped.then(() => 'stopped')]);
    // What is decided was acknowledged, or is at least what the next writer finds.
    const isDecided = first === 'acknowledged';
    if (isDecided) await Promise.race([writing.whenStopped, pause(STEP_MS)]);
    if (isDecided) this.#take(position, commit.take);
    this.#former.push({ store: this.writer, writing, pending: isDecided ? undefined : ended });
    await this.#open();
    if (isDecided) return;
    // As an engine does, the successor commits what is not in the store.
    await patiently(() => this.writer.commit(commit.commit));
    this.#take(position, commit.take);
  }

  async #open(): Promise<void> {
    const writing = newWriting();
    this.#writing = writing;
    this.#failing = 0;
    this.writer = await this.harness.write({
      beforeStep: async (step) => {
        if (writing.frozen?.before === step) {
          writing.stopped();
          await writing.frozen.thawed;
        }
        if (step !== 'decide' && this.#slow-- > 0) await pause(STEP_MS);
        if (writing.hasCrashed || this.#failing-- > 0) throw new ReadStoreUnavailable('The server is away.');
      },
    });
    await patiently(() => this.writer.collection(notes));
    await patiently(() => this.writer.collection(people));
  }

  async #commit({ puts, removals, pruned }: Extract<Act, { act: 'commit' }>): Promise<void> {
    const position = this.#position + 1;
    // A late insert of a writer that was replaced within 2 s, sooner than a lease ends, would bring back what a range removes.
    const range = this.#former.length > 0 ? 0 : pruned;
    const { commit, take } = this.#commitOf(position, puts, removals, range);
    await patiently(() => this.writer.commit(commit));
    this.#take(position, take);
  }

  #take(position: number, take: () => void): void {
    this.#position = position;
    take();
  }

  /** A commit, and what it does to the model. */
  #commitOf(
    position: number,
    puts: readonly number[],
    removals: readonly number[],
    pruned: number,
  ): { readonly commit: Commit; readonly take: () => void } {
    const writes: Write[] = [];
    const prunes: Prune[] = [];
    const floor = this.#floor;
    const above = Math.min(floor + pruned, FLOOR_MAX);
    const takes: (() => void)[] = [() => (this.#floor = above)];
    for (const [collection, keys] of [
      ['notes', KEYS],
      ['people', NAMES],
    ] as const) {
      const content = this.#model.get(collection)!;
      const known = new Set(content.keys());
      for (const index of puts) {
        const key = keys[above + index]!;
        const isFresh = !known.has(key) && index % 2 === 0;
        writes.push({ collection, key, doc: { n: position }, ...(isFresh && { fresh: true }) });
        known.add(key);
        takes.push(() => content.set(key, { n: position }));
      }
      for (const index of removals) {
        const key = keys[above + index]!;
        writes.push({ collection, key, doc: undefined });
        takes.push(() => content.delete(key));
      }
      if (above === floor) continue;
      prunes.push({ collection, from: keys[floor]!, below: keys[above]! });
      takes.push(() => {
        for (const key of keys.slice(floor, above)) content.delete(key);
      });
    }
    return {
      commit: { writes, prunes, position, passed: position },
      take: () => {
        for (const each of takes) each();
      },
    };
  }

  async #compare(store: ReadStore): Promise<void> {
    for (const [schema, keys] of [
      [notes, KEYS],
      [people, NAMES],
    ] as const) {
      const collection: Collection<Note> = await store.collection<Note>(schema);
      const content = this.#model.get(schema.name)!;
      expect(await patiently(() => collection.getMany(keys))).toEqual(content);
      const found = await patiently(() => collection.find({ limit: 100 }));
      expect(new Map(found.map(({ key, doc }) => [key, doc]))).toEqual(content);
    }
  }
}

function newWriting(): Writing {
  let stopped = (): void => undefined;
  const whenStopped = new Promise<void>((resolve) => (stopped = resolve));
  return { hasCrashed: false, frozen: undefined, whenStopped, stopped };
}

async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  let result: Result | undefined;
  await until(() =>
    work().then(
      (value) => {
        result = value;
        return true;
      },
      (error: unknown) => {
        if (error instanceof ReadStoreUnavailable) return false;
        throw error;
      },
    ),
  );
  return result as Result;
}

export function describeDecidedCommits(server: MongoForTests): void {
  describe('commits that are decided and not written yet', () => {
    test('are seen by every read that begins afterwards, whatever fails, and whoever goes on', async () => {
      await fc.assert(
        fc.asyncProperty(acts, async (story) => {
          const harness = await MongoHarness.on(server.freshUrl());
          try {
            const told = await Story.start(harness);
            for (const act of story) await told.run(act);
            const last = [
              'read here',
              'settle',
              'read there',
              'thaw',
              'read elsewhere',
              'crash',
              'read here',
              'read there',
            ] as const;
            for (const act of last) await told.run({ act });
          } finally {
            await harness.destroy();
          }
        }),
        { numRuns: rounds(6) },
      );
    });

    test('are not forgotten for what was read before they were written', async () => {
      const harness = await MongoHarness.on(server.freshUrl());
      const [first, second] = [new Stop(), new Stop()];
      const writer = await harness.write({
        beforeStep: async (step) => {
          if (step === 'insert') await first.pass();
          if (step === 'replace') await second.pass();
        },
      });
      const collection = await writer.collection<Note>(notes);
      const put = (n: number): Promise<void> =>
        writer.commit({ writes: [{ collection: 'notes', key: 1, doc: { n } }], position: n, passed: n });
      await put(1);
      const read = collection.get(1);
      await put(2);

      const { findAll } = BoundedCollection.prototype;
      const reads = jest.spyOn(BoundedCollection.prototype, 'findAll').mockImplementation(async function (
        this: BoundedCollection<object>,
        filter,
        options = {},
      ) {
        const documents = await findAll.call(this, filter, options);
        const { d } = options.projection as { d?: unknown };
        if (d === undefined) return documents;
        // The answer arrives when the next commit is written.
        second.open();
        await writer.settled();
        return documents;
      });
      first.open();
      expect(await read).toEqual({ n: 1 });
      reads.mockRestore();
      expect(await collection.get(1)).toEqual({ n: 2 });
      await harness.destroy();
    });
  });
}
