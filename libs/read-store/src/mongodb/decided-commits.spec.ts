import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describeOnMongo, rounds, until } from '#testing';
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
const KEYS: readonly Key[] = [0, 1, 2, 3, 4, 5, 6, 7];
const NAMES: readonly Key[] = KEYS.map((key) => `p${key}`);

type Content = Map<Key, Note>;

type Act =
  | {
      readonly act: 'commit';
      readonly puts: readonly number[];
      readonly removals: readonly number[];
      readonly pruned: number;
    }
  | { readonly act: 'read here' | 'read there' | 'settle' | 'slow' | 'fail' | 'crash' };

const commits = fc.record({
  act: fc.constant('commit' as const),
  puts: fc.array(fc.nat(7), { maxLength: 4 }),
  removals: fc.array(fc.nat(7), { maxLength: 2 }),
  pruned: fc.oneof({ weight: 2, arbitrary: fc.constant(-1) }, fc.nat(7)),
});
const others = fc.record({
  act: fc.constantFrom('read here', 'read here', 'read here', 'read there', 'settle', 'slow', 'slow', 'fail', 'crash'),
});
const acts: fc.Arbitrary<Act[]> = fc.array(fc.oneof({ weight: 1, arbitrary: commits }, others as fc.Arbitrary<Act>), {
  minLength: 5,
  maxLength: 40,
});

/** A writer whose documents are written later, at random with failures, and what it has decided. */
class Story {
  readonly #model = new Map<string, Content>([
    ['notes', new Map()],
    ['people', new Map()],
  ]);
  #position = 0;
  /** Steps of commits that will fail, and that will take a while. */
  #failing = 0;
  #slow = 0;
  #hasCrashed: { is: boolean } = { is: false };

  private constructor(
    private readonly harness: MongoHarness,
    private readonly reader: MongoReadStores,
    private writer: MongoReadStore,
  ) {}

  static async start(harness: MongoHarness): Promise<Story> {
    const story = new Story(harness, await harness.open(), undefined as unknown as MongoReadStore);
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
        expect(await this.reader.progress.position()).toBe(this.#position);
        return this.#compare(this.reader.reading());
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
        this.#hasCrashed.is = true;
        return this.#open();
    }
  }

  async #open(): Promise<void> {
    const crashed: { is: boolean } = { is: false };
    this.#hasCrashed = crashed;
    this.#failing = 0;
    this.writer = await this.harness.write({
      beforeStep: async (step) => {
        if (step !== 'decide' && this.#slow-- > 0) await pause(STEP_MS);
        if (crashed.is || this.#failing-- > 0) throw new ReadStoreUnavailable('The server is away.');
      },
    });
    await patiently(() => this.writer.collection(notes));
    await patiently(() => this.writer.collection(people));
  }

  async #commit({ puts, removals, pruned }: Extract<Act, { act: 'commit' }>): Promise<void> {
    const position = ++this.#position;
    const writes: Write[] = [];
    const prunes: Prune[] = [];
    for (const [collection, keys] of [
      ['notes', KEYS],
      ['people', NAMES],
    ] as const) {
      const content = this.#model.get(collection)!;
      for (const index of puts) {
        const key = keys[index]!;
        const isFresh = !content.has(key) && index % 2 === 0;
        writes.push({ collection, key, doc: { n: position }, ...(isFresh && { fresh: true }) });
        content.set(key, { n: position });
      }
      for (const index of removals) {
        writes.push({ collection, key: keys[index]!, doc: undefined });
        content.delete(keys[index]!);
      }
      if (pruned < 0) continue;
      prunes.push({ collection, from: keys[pruned]!, below: keys[Math.min(pruned + 2, 7)]! });
      for (const key of keys.slice(pruned, Math.min(pruned + 2, 7))) content.delete(key);
    }
    const commit: Commit = { writes, prunes, position, passed: position };
    await patiently(() => this.writer.commit(commit));
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

describeOnMongo('commits that are decided and not written yet', (server) => {
  test('are seen by every read that begins afterwards, whatever fails, and whoever goes on', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (story) => {
        const harness = await MongoHarness.on(server.freshUrl());
        try {
          const told = await Story.start(harness);
          for (const act of story) await told.run(act);
          for (const act of ['read here', 'settle', 'read there', 'crash', 'read here', 'read there'] as const) {
            await told.run({ act });
          }
        } finally {
          await harness.destroy();
        }
      }),
      { numRuns: rounds(6) },
    );
  }, 300_000);

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
