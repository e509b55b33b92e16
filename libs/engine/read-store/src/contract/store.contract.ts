import type {
  Collection,
  CollectionSchema,
  Commit,
  Find,
  Key,
  ReadStore,
  KeyValueStore,
  Write,
} from '../read-store.js';

/** Storage for one test. `open` may be called again once the store opened before is closed, and finds the same data. */
export interface ReadStoreHarness {
  open(): Promise<ReadStore>;
  openSide(): Promise<{ side: KeyValueStore; close(): Promise<void> }>;
  destroy(): Promise<void>;
  /** By day fewer writes are many: FerretDB looks through the collection for each. */
  readonly isSlow?: true;
}

export type Doc = Record<string, unknown>;

export const notes = {
  name: 'notes',
  key: 'integer',
  fields: { channel: 'integer', topic: 'text', sender: 'integer' },
  indexes: [['channel'], ['channel', 'topic'], ['sender']],
  many: { mentions: 'integer', words: 'text' },
} as const satisfies CollectionSchema;

export const people = {
  name: 'people',
  key: 'text',
  fields: { age: 'integer', city: 'text' },
  indexes: [['city']],
} as const satisfies CollectionSchema;

export const essays = {
  name: 'essays',
  key: 'integer',
  fields: { channel: 'integer' },
  indexes: [['channel']],
  many: { mentions: 'integer' },
  words: {
    field: 'word',
    version: 1,
    from: ['said'],
    of: ({ said }) => (Array.isArray(said) ? (said as string[]) : []),
  },
} as const satisfies CollectionSchema;

/** The currently open store. */
export class ContractStore {
  harness!: ReadStoreHarness;
  store!: ReadStore;

  constructor(private readonly harnessOf: () => Promise<ReadStoreHarness>) {}

  async open(): Promise<void> {
    this.harness = await this.harnessOf();
    this.store = await this.harness.open();
  }

  async reopen(): Promise<void> {
    await this.store.close();
    this.store = await this.harness.open();
  }

  async destroy(): Promise<void> {
    await this.store.close();
    await this.harness.destroy();
  }
}

export function at(position: number, ...writes: Write[]): Commit {
  return { writes, position };
}

export function put(collection: string, key: Key, doc: Doc | undefined): Write {
  return { collection, key, doc };
}

export async function keysOf(collection: Collection<Doc>, find: Partial<Find> = {}): Promise<readonly Key[]> {
  return (await collection.find({ limit: 1000, ...find })).map(({ key }) => key);
}
