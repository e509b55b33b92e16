import { ReadConcern } from 'mongodb';
import type {
  CollectionOptions,
  CreateCollectionOptions,
  Db,
  Document,
  Filter,
  FindCursor,
  OptionalId,
  WithId,
  WithoutId,
} from 'mongodb';
import { BoundedCollection } from '../bounded-collection.js';
import { MongoCalls } from './mongo-calls.js';
import { clientFor, databaseOf, hostsOf, OPERATION_MS } from './mongo-client.js';
import {
  asStoreFailure,
  duplicatesAmong,
  hasCode,
  isNotSupported,
  NAMESPACE_EXISTS,
  NAMESPACE_NOT_FOUND,
} from './mongo-failure.js';

/** On a replica set each write waits for a majority, so the writes of a commit run in parallel. */
const WRITES_AT_ONCE = 8;
/** A standalone server answers at once, and FerretDB is slower with parallel writes than with sequential ones. */
const WRITES_IN_TURN = 1;
/** Of MongoDB 8.0. */
const BULK_WRITES_WIRE_VERSION = 25;

export interface Capabilities {
  /** Whether reads can be limited to what a majority of the replica set has. */
  readonly majorityReads: boolean;
  /** Writes of one commit that run in parallel. */
  readonly writesAtOnce: number;
  /** Whether one document is found by its key without reading the others: FerretDB 1 reads the whole collection. */
  readonly findsByKey: boolean;
  /** Whether nothing comes between the filter of an update and its write: FerretDB 1 may write back what another call has changed. */
  readonly updatesAtomically: boolean;
  /** Whether one command writes to several collections: MongoDB 8.0 and later. */
  readonly bulkWrites: boolean;
}

export interface InsertWrite<Stored extends Document> {
  readonly name: 'insertOne';
  readonly document: OptionalId<Stored>;
}

export interface ReplaceWrite<Stored extends Document> {
  readonly name: 'replaceOne';
  readonly filter: Filter<Stored>;
  readonly replacement: WithoutId<Stored>;
}

/** A write to one document of a collection. */
export type CollectionWrite<Stored extends Document> = (InsertWrite<Stored> | ReplaceWrite<Stored>) & {
  readonly collection: string;
};

export interface CallLimits {
  /**
   * Timeout for what everything waits for: the writer's progress and identity, and the writes that decide and end a commit.
   * One that is not answered is made again.
   */
  readonly quickMs: number;
  readonly usualMs: number;
}

/** A connection that swallows bytes delays requests for no longer than the quick limit. */
const LIMITS: CallLimits = { quickMs: 3_000, usualMs: OPERATION_MS };

export interface ServerOptions {
  /** For tests: overrides the detected capabilities of the server. */
  readonly capabilities?: Partial<Capabilities>;
  readonly limits?: CallLimits;
}

/** One server, replica set or sharded cluster, and this installation's database on it. All calls have a timeout. */
export class MongoServer {
  private constructor(
    private readonly calls: MongoCalls,
    /** Hosts of the address, as named in errors. */
    readonly name: string,
    readonly databaseName: string,
    readonly capabilities: Capabilities,
    readonly limits: CallLimits,
  ) {}

  /** @throws ReadStoreUnavailable; TypeError for an invalid address */
  static async connect(url: string, options: ServerOptions = {}): Promise<MongoServer> {
    const { limits = LIMITS } = options;
    const name = hostsOf(url);
    const databaseName = databaseOf(url);
    let readConcern = new ReadConcern('local');
    try {
      const calls = await MongoCalls.connect({
        name,
        client: (silenceMs) => clientFor(url, name, silenceMs),
        database: (client) => client.db(databaseName, { readConcern }),
      });
      try {
        const capabilities = { ...(await capabilitiesOf(calls, limits.usualMs)), ...options.capabilities };
        if (capabilities.majorityReads) readConcern = new ReadConcern('majority');
        return new MongoServer(calls, name, databaseName, capabilities, limits);
      } catch (error) {
        await calls.close();
        throw error;
      }
    } catch (error) {
      throw asStoreFailure(error, name);
    }
  }

  collection<Stored extends Document>(name: string, options?: CollectionOptions): BoundedCollection<Stored> {
    return new BoundedCollection<Stored>(this.calls, name, this.limits.usualMs, options);
  }

  /** Collection of documents that everything waits for. */
  quickCollection<Stored extends Document>(name: string, options?: CollectionOptions): BoundedCollection<Stored> {
    return new BoundedCollection<Stored>(this.calls, name, this.limits.quickMs, options);
  }

  /** Quick collection with a shorter timeout of its own. */
  collectionWithin<Stored extends Document>(limitMs: number, name: string): BoundedCollection<Stored> {
    return new BoundedCollection<Stored>(this.calls, name, Math.min(limitMs, this.limits.quickMs));
  }

  /**
   * Runs work that calls the server.
   * @throws ReadStoreUnavailable for errors that a retry may solve
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw asStoreFailure(error, this.name);
    }
  }

  /**
   * Writes to several collections by one command, in any order.
   * @returns indexes of the inserts whose documents existed already
   */
  async bulkWrite<Stored extends Document>(writes: readonly CollectionWrite<Stored>[]): Promise<readonly number[]> {
    const models = writes.map(({ collection, ...write }) => ({
      ...write,
      namespace: `${this.databaseName}.${collection}`,
    }));
    try {
      await this.#call(({ client }, bound) =>
        client.bulkWrite<Record<string, Stored>>(models, { ordered: false, ...bound }),
      );
      return [];
    } catch (error) {
      const duplicates = duplicatesAmong(error);
      if (duplicates === undefined) throw error;
      return duplicates;
    }
  }

  /** Creates the collection unless it exists. */
  async create(name: string, options: CreateCollectionOptions = {}): Promise<void> {
    try {
      await this.#call((database, bound) => database.createCollection(name, { ...options, ...bound }));
    } catch (error) {
      if (!hasCode(error, NAMESPACE_EXISTS)) throw error;
    }
  }

  /** Drops the collection if it exists. */
  async drop(name: string): Promise<void> {
    try {
      await this.#call((database, bound) => database.dropCollection(name, bound));
    } catch (error) {
      if (!hasCode(error, NAMESPACE_NOT_FOUND)) throw error;
    }
  }

  /** Asked anew each time: nodes are upgraded one at a time. */
  async product(): Promise<string> {
    const build = await this.#call((database, bound) => database.command({ buildInfo: 1, ...bound }));
    const ferretDb = build['ferretdbVersion'] as string | undefined;
    const version = `MongoDB ${String(build['version'])}`;
    return ferretDb === undefined ? version : `FerretDB ${ferretDb} as ${version}`;
  }

  /** Documents of a collection, and its bytes on the disk with its indexes, as the server knows them; 0 when there is none. */
  async statsOf(name: string): Promise<{ readonly documents: number; readonly bytes: number }> {
    try {
      const found = await this.#call((database, bound) => database.command({ collStats: name, ...bound }));
      const bytes = Number(found['storageSize'] ?? 0) + Number(found['totalIndexSize'] ?? 0);
      return { documents: Number(found['count'] ?? 0), bytes };
    } catch (error) {
      if (!hasCode(error, NAMESPACE_NOT_FOUND)) throw error;
      return { documents: 0, bytes: 0 };
    }
  }

  async collectionNames(): Promise<readonly string[]> {
    const listed = await this.#call((database, bound) =>
      database.listCollections({}, { nameOnly: true, ...bound }).toArray(),
    );
    return listed.map(({ name }) => name);
  }

  /**
   * Follows a capped collection. Each step of the cursor is a separate call; the server waits for `awaitMs` before it
   * reports that there is nothing new, or less where quick calls are shorter.
   */
  tail<Stored extends Document>(name: string, batchSize: number, awaitMs: number): Tail<Stored> {
    let cursor: FindCursor<WithId<Stored>> | undefined;
    const { quickMs } = this.limits;
    return {
      next: () =>
        this.calls.run(quickMs, (database) => {
          cursor ??= database.collection<Stored>(name, { readConcern: new ReadConcern('local') }).find(
            {},
            {
              tailable: true,
              awaitData: true,
              batchSize,
              maxAwaitTimeMS: Math.min(awaitMs, quickMs),
              maxTimeMS: quickMs,
            },
          );
          return cursor.tryNext();
        }),
      get isOver() {
        return cursor?.closed === true;
      },
      close: async () => {
        await this.calls.run(quickMs, () => cursor?.close() ?? Promise.resolve());
      },
    };
  }

  async close(): Promise<void> {
    await this.calls.close();
  }

  #call<Result>(call: (database: Db, bound: { readonly maxTimeMS: number }) => Promise<Result>): Promise<Result> {
    const { usualMs } = this.limits;
    return this.calls.run(usualMs, (database) => call(database, { maxTimeMS: usualMs }));
  }
}

/** Cursor that waits for new documents. */
export interface Tail<Stored> {
  /** Null when there is nothing new at the moment. */
  next(): Promise<WithId<Stored> | null>;
  /** The server has closed the cursor: it does not support tailing. */
  readonly isOver: boolean;
  close(): Promise<void>;
}

async function capabilitiesOf(calls: MongoCalls, maxTimeMS: number): Promise<Capabilities> {
  const { setName, msg, maxWireVersion } = await calls.run(maxTimeMS, (database) =>
    database.command({ hello: 1, maxTimeMS }),
  );
  const build = await calls.run(maxTimeMS, (database) => database.command({ buildInfo: 1, maxTimeMS }));
  const isFerretDb = build['ferretdbVersion'] !== undefined;
  const isReplicated = setName !== undefined || msg === 'isdbgrid';
  // Tried with a read, since servers that look alike differ.
  const majorityReads = await supported(() =>
    calls.run(maxTimeMS, async (database) => {
      await database.collection('state').findOne({}, { readConcern: { level: 'majority' }, maxTimeMS });
    }),
  );
  return {
    majorityReads,
    writesAtOnce: isReplicated ? WRITES_AT_ONCE : WRITES_IN_TURN,
    findsByKey: !isFerretDb,
    updatesAtomically: !isFerretDb,
    bulkWrites: Number(maxWireVersion) >= BULK_WRITES_WIRE_VERSION,
  };
}

async function supported(attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (isNotSupported(error)) return false;
    throw error;
  }
}
