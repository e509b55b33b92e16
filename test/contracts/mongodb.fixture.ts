import { setTimeout as pause } from 'node:timers/promises';
import { ReadStoreUnavailable } from '#read-store';
import type { Collection, CollectionSchema, Commit, Key, ReadStore, Write } from '#read-store';
import type { MongoReadStore } from '../../libs/engine/read-store/src/mongodb/mongo-read-store.js';
import { openMongo, type MongoReadStores } from '../../libs/engine/read-store/src/mongodb/mongo-read-stores.js';
import { type Chosen, MongoProxy, type ProxyOptions } from '../mongodb/index.js';

export const notes = {
  name: 'notes',
  key: 'integer',
  fields: { channel: 'integer' },
  indexes: [['channel']],
} as const satisfies CollectionSchema;

export const people = { name: 'people', key: 'text', fields: {}, indexes: [] } as const satisfies CollectionSchema;

/** The commands of a commit, in order, each with a name. */
export const STEPS = named([
  { command: 'insert', collection: 'journal' },
  { command: 'find', collection: /@/ },
  { command: 'insert', collection: /@/ },
  { command: 'update', collection: /@/ },
  { command: 'delete', collection: /@/ },
  { command: 'update', collection: 'state' },
]);
/** Instead of inserts and updates, where one command writes to several collections. */
export const STEPS_OF_BULK = named([{ command: 'bulkWrite' }]);

function named(steps: readonly Chosen[]): readonly (readonly [string, Chosen])[] {
  return steps.map((step) => [
    step.collection === undefined ? step.command : `${step.command} of ${String(step.collection)}`,
    step,
  ]);
}

/** Guards against hanging only. */
const COMMIT_LIMIT_MS = 120_000;
const TRY_EVERY_MS = 20;

interface Note {
  readonly channel: number;
}

/** A database behind a proxy, with one writing and one reading process. The first commit is done. */
export class WriterAndReader {
  private constructor(
    readonly stores: ProxiedStores,
    readonly writer: MongoReadStore,
    readonly reader: MongoReadStores,
  ) {}

  static async start(url: string, options: ProxyOptions = {}): Promise<WriterAndReader> {
    const stores = await ProxiedStores.start(url, options);
    const both = new WriterAndReader(stores, await stores.write(), await stores.open());
    await commitPatiently(both.writer, 1);
    return both;
  }

  /** Makes two commits one after another, and checks that both are visible. */
  async expectToGoOn(from: number): Promise<void> {
    for (const position of [from, from + 1]) {
      await commitPatiently(this.writer, position);
      expect(await contentOf(this.writer)).toEqual(contentAt(position));
      expect(await contentOf(this.reader.reading())).toEqual(contentAt(position));
      expect(await this.reader.progress.position()).toBe(position);
    }
  }
}

/** Commits like the engine: retries, from the state that the store reports, as long as that may help. Waits for the documents. */
export async function commitPatiently(store: MongoReadStore, position: number): Promise<void> {
  const limitMs = performance.now() + COMMIT_LIMIT_MS;
  for (;;) {
    try {
      if ((await store.checkpoint('notes'))?.position !== position) await store.commit(commitAt(position));
      await store.settled();
      return;
    } catch (error) {
      if (!(error instanceof ReadStoreUnavailable) || performance.now() > limitMs) throw error;
      await pause(TRY_EVERY_MS);
    }
  }
}

/** A database behind a proxy, and the stores that processes open on it. The faults of the proxy affect all of them. */
export class ProxiedStores {
  readonly #opened: MongoReadStores[] = [];

  private constructor(
    readonly proxy: MongoProxy,
    private readonly options: ProxyOptions,
    private readonly terms: { last: number },
  ) {}

  static async start(url: string, options: ProxyOptions = {}): Promise<ProxiedStores> {
    return new ProxiedStores(await MongoProxy.start(url, options), options, { last: 0 });
  }

  /** The same database through another proxy with separate faults. */
  async beside(url: string): Promise<ProxiedStores> {
    return new ProxiedStores(await MongoProxy.start(url, this.options), this.options, this.terms);
  }

  /** Opens the stores as another process would. */
  async open(): Promise<MongoReadStores> {
    const stores = await openMongo(this.proxy.url);
    this.#opened.push(stores);
    return stores;
  }

  /** A writer under the next term, with its collections. */
  async write(): Promise<MongoReadStore> {
    const stores = await this.open();
    const store = await stores.writing({ name: 'projector', holder: 'test', term: ++this.terms.last });
    await store.collection(notes);
    await store.collection(people);
    return store;
  }

  async stop(): Promise<void> {
    await this.proxy.heal();
    for (const stores of this.#opened) await stores.close();
    await this.proxy.stop();
  }
}

const put = (collection: string, key: Key, doc: object | undefined): Write => ({ collection, key, doc });

/** A commit with every kind of write: documents old and new, removals, prunes, two collections. */
export function commitAt(position: number): Commit {
  const checkpoints = { notes: { checkpoint: `c${position}`, position } };
  return {
    position,
    passed: position,
    checkpoints,
    prunes: [{ collection: 'notes', below: position }],
    writes: [
      ...Array.from({ length: 12 }, (_, key) => put('notes', position + key, { channel: position })),
      put('people', 'ann', { age: position }),
      put('people', position % 2 === 0 ? 'bob' : 'cid', { age: position }),
      put('people', position % 2 === 0 ? 'cid' : 'bob', undefined),
    ],
  };
}

/** Contents of the collections after the commits up to that position, one after another. */
export function contentAt(position: number): object {
  return {
    notes: Object.fromEntries(Array.from({ length: 12 }, (_, key) => [position + key, { channel: position }])),
    people: { ann: { age: position }, [position % 2 === 0 ? 'bob' : 'cid']: { age: position } },
    checkpoint: { checkpoint: `c${position}`, position },
  };
}

export async function contentOf(store: ReadStore): Promise<object> {
  const all = async (schema: CollectionSchema): Promise<object> => {
    const collection: Collection<Note> = await store.collection<Note>(schema);
    const found = await collection.find({ limit: 1_000 });
    expect(await collection.count(undefined, 1_000)).toBe(found.length);
    return Object.fromEntries(found.map(({ key, doc }) => [key, doc]));
  };
  return { notes: await all(notes), people: await all(people), checkpoint: await store.checkpoint('notes') };
}
