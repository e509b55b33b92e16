import { Collection, ReadStoreUnavailable } from '../read-store.js';
import type { CollectionSchema, Filter, Find, Key, Stored } from '../read-store.js';
import { checkedCount, checkedKey } from '../schema.js';
import { decodeDocument } from './document-codec.js';
import type { StoredDocument } from './document-codec.js';
import { compileFilter, compileSort } from './mongo-filter.js';
import type { Query } from './mongo-filter.js';
import { OPERATION_MS } from './mongo-server.js';
import type { MongoServer } from './mongo-server.js';
import { READER_GRACE_MS } from './store-state.js';

/** Where a collection's documents are, as known at a moment. */
export interface Whereabouts {
  /** The collection on the server; undefined when there is none yet. */
  readonly physical: string | undefined;
  /** When that was asked, by `performance.now()`. */
  readonly askedAtMs: number;
}

/** Keys a query takes at a time. */
const KEYS_PER_QUERY = 1_000;
const BATCH_DOCUMENTS = 1_000;
/** The server counts in 32 bits. */
const LIMIT_MAX = 2_147_483_647;
/** A collection that moves more often than this while it is read is not read at all. */
const ATTEMPTS_MAX = 3;

const CONTENT = { d: 1, b: 1, gone: 1 } as const;

export class MongoCollection<Doc extends object> extends Collection<Doc> {
  constructor(
    readonly schema: CollectionSchema,
    private readonly server: MongoServer,
    private readonly whereabouts: () => Promise<Whereabouts>,
  ) {
    super();
  }

  override async get(key: Key): Promise<Doc | undefined> {
    const [found] = await this.#search({ _id: checkedKey(this.schema, key) }, { limit: 1 });
    return found?.doc;
  }

  override async getMany(keys: readonly Key[]): Promise<Map<Key, Doc>> {
    const found = new Map<Key, Doc>();
    for (let at = 0; at < keys.length; at += KEYS_PER_QUERY) {
      const wanted = keys.slice(at, at + KEYS_PER_QUERY).map((key) => checkedKey(this.schema, key));
      for (const { key, doc } of await this.#search({ _id: { $in: wanted } }, {})) found.set(key, doc);
    }
    return found;
  }

  override async find(find: Find): Promise<readonly Stored<Doc>[]> {
    const limit = Math.min(checkedCount(find.limit, 'limit'), LIMIT_MAX);
    const query = find.where === undefined ? true : compileFilter(this.schema, find.where);
    const sort = compileSort(this.schema, find.sort);
    return limit === 0 ? [] : this.#search(this.#present(query), { limit, sort });
  }

  override async count(filter: Filter | undefined, atMost: number): Promise<number> {
    const limit = Math.min(checkedCount(atMost, 'bound of a count'), LIMIT_MAX);
    const query = this.#present(filter === undefined ? true : compileFilter(this.schema, filter));
    // For the server, no limit is a limit of 0.
    if (query === false || limit === 0) return 0;
    return this.#read(0, (physical) =>
      this.server
        .collection<StoredDocument>(physical)
        .countDocuments(query === true ? {} : query, { limit, maxTimeMS: OPERATION_MS }),
    );
  }

  /** Without the marks of documents that were removed: only servers without transactions need those. */
  #present(query: Query): Query {
    if (this.server.capabilities.transactions || query === false) return query;
    const present = { gone: { $exists: false } };
    return query === true ? present : { $and: [present, query] };
  }

  #search(
    query: Query,
    options: { readonly limit?: number; readonly sort?: Record<string, 1 | -1> },
  ): Promise<Stored<Doc>[]> {
    if (query === false) return Promise.resolve([]);
    return this.#read([], async (physical) => {
      const documents = await this.server
        .collection<StoredDocument>(physical)
        .find(query === true ? {} : query, {
          ...options,
          projection: CONTENT,
          batchSize: BATCH_DOCUMENTS,
          maxTimeMS: OPERATION_MS,
        })
        .toArray();
      const found: Stored<Doc>[] = [];
      for (const document of documents) {
        if (document.gone === undefined) found.push({ key: document._id, doc: decodeDocument(document) as Doc });
      }
      return found;
    });
  }

  /**
   * Asks the collection where it is, and again elsewhere when so much time has passed since that was known that it may have
   * been dropped meanwhile: no reader sees the emptiness of a dropped collection.
   */
  async #read<Result>(nothing: Result, ask: (physical: string) => Promise<Result>): Promise<Result> {
    return this.server.run(async () => {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        const { physical, askedAtMs } = await this.whereabouts();
        if (physical === undefined) return nothing;
        const result = await ask(physical);
        if (performance.now() - askedAtMs < READER_GRACE_MS) return result;
      }
      throw new ReadStoreUnavailable(`Reading ${this.schema.name} takes too long.`);
    });
  }
}
