import type {
  AnyBulkWriteOperation,
  Collection,
  CollectionOptions,
  Document,
  Filter,
  FindOptions,
  IndexDescription,
  OptionalUnlessRequiredId,
  UpdateFilter,
  WithId,
  WithoutId,
} from 'mongodb';
import type { MongoCalls } from './server/mongo-calls.js';
import { MAJORITY } from './server/mongo-client.js';

interface Bound {
  readonly maxTimeMS: number;
}

/** Building an index over existing documents may take minutes. */
const INDEX_BUILD_MS = 600_000;

/**
 * A collection on the server whose calls all have a timeout, which is also passed to the server.
 * @throws CallGivenUp beside errors of the driver
 */
export class BoundedCollection<Stored extends Document> {
  constructor(
    private readonly calls: MongoCalls,
    readonly name: string,
    private readonly limitMs: number,
    private readonly options: CollectionOptions = {},
  ) {}

  findOne(filter: Filter<Stored>, options: FindOptions = {}): Promise<WithId<Stored> | null> {
    return this.#call((collection, bound) => collection.findOne(filter, { ...options, ...bound }));
  }

  /** The timeout covers all batches together. */
  findAll(filter: Filter<Stored>, options: FindOptions = {}): Promise<WithId<Stored>[]> {
    return this.#call((collection, bound) => collection.find(filter, { ...options, ...bound }).toArray());
  }

  /** Counts up to a limit, which is not 0. */
  count(filter: Filter<Stored>, limit: number): Promise<number> {
    return this.#call((collection, bound) => collection.countDocuments(filter, { limit, ...bound }));
  }

  async insertOne(document: OptionalUnlessRequiredId<Stored>): Promise<void> {
    await this.#call((collection, bound) => collection.insertOne(document, bound));
  }

  async insertMany(documents: readonly OptionalUnlessRequiredId<Stored>[], ordered: boolean): Promise<void> {
    await this.#call((collection, bound) => collection.insertMany(documents, { ordered, ...bound }));
  }

  /** @returns the number of matched documents */
  async replaceOne(filter: Filter<Stored>, replacement: WithoutId<Stored>, upsert = false): Promise<number> {
    const result = await this.#call((collection, bound) =>
      collection.replaceOne(filter, replacement, { upsert, ...bound }),
    );
    return result.matchedCount;
  }

  /** @returns the number of matched documents */
  async updateOne(filter: Filter<Stored>, update: UpdateFilter<Stored>): Promise<number> {
    const result = await this.#call((collection, bound) => collection.updateOne(filter, update, bound));
    return result.matchedCount;
  }

  async updateMany(filter: Filter<Stored>, update: UpdateFilter<Stored>): Promise<void> {
    await this.#call((collection, bound) => collection.updateMany(filter, update, bound));
  }

  async bulkWrite(operations: readonly AnyBulkWriteOperation<Stored>[]): Promise<void> {
    await this.#call((collection, bound) => collection.bulkWrite(operations, { ordered: false, ...bound }));
  }

  /**
   * Replaces the document, or inserts it.
   * @returns the one before; whole, since FerretDB gives no part of it
   */
  findOneAndReplace(filter: Filter<Stored>, replacement: WithoutId<Stored>): Promise<WithId<Stored> | null> {
    return this.#call((collection, bound) =>
      collection.findOneAndReplace(filter, replacement, { upsert: true, ...bound }),
    );
  }

  /** @returns the document before */
  findOneAndDelete(filter: Filter<Stored>): Promise<WithId<Stored> | null> {
    return this.#call((collection, bound) => collection.findOneAndDelete(filter, bound));
  }

  async deleteMany(filter: Filter<Stored>): Promise<void> {
    await this.#call((collection, bound) => collection.deleteMany(filter, bound));
  }

  async hasIndex(name: string): Promise<boolean> {
    return this.#call(async (collection, bound) => {
      const indexes = await collection.listIndexes(bound).toArray();
      return indexes.some((index: { name?: unknown }) => index.name === name);
    });
  }

  /** Creates indexes of an empty collection. */
  async createIndexes(indexes: readonly IndexDescription[]): Promise<void> {
    await this.calls.run(this.limitMs, (database) => database.command(this.#indexCommand(indexes, this.limitMs)));
  }

  /** Creates indexes over any number of documents, which may take minutes. */
  async buildIndexes(indexes: readonly IndexDescription[]): Promise<void> {
    await this.calls.runLong(INDEX_BUILD_MS, (database) =>
      database.command(this.#indexCommand(indexes, INDEX_BUILD_MS)),
    );
  }

  /** The driver's own method omits `maxTimeMS`. */
  #indexCommand(indexes: readonly IndexDescription[], maxTimeMS: number): Document {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- The server calls it so in a command; it is the driver's option that has a new name.
    const { w, wtimeout } = MAJORITY;
    return { createIndexes: this.name, indexes, maxTimeMS, writeConcern: { w, wtimeout } };
  }

  #call<Result>(call: (collection: Collection<Stored>, bound: Bound) => Promise<Result>): Promise<Result> {
    const bound = { maxTimeMS: this.limitMs };
    return this.calls.run(this.limitMs, (database) => call(database.collection(this.name, this.options), bound));
  }
}
