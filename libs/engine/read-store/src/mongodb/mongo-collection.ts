import type { FindOptions } from 'mongodb';
import { Collection, ReadStoreUnavailable } from '../read-store.js';
import type { CollectionSchema, FieldsRow, Filter, Find, Key, Stored } from '../read-store.js';
import { checkedCount, checkedIntegers, checkedKey } from '../schema.js';
import type { RecentDocuments } from './commit/recent-documents.js';
import { decodeDocument, encodeName } from './document-codec.js';
import type { StoredDocument } from './document-codec.js';
import { compileFilter, compileSort } from './mongo-filter.js';
import type { Query } from './mongo-filter.js';
import type { MongoServer } from './server/mongo-server.js';
import { READER_GRACE_MS } from './commit/store-state.js';

/** Last known place of a collection's documents. */
export interface Whereabouts {
  /** Name of the collection on the server; undefined when it does not exist yet. */
  readonly physical: string | undefined;
  /** Time of the question, by `performance.now()`. */
  readonly askedAtMs: number;
}

/** Maximum keys per query. */
const KEYS_PER_QUERY = 1_000;
const BATCH_DOCUMENTS = 1_000;
/** The server counts in 32 bits. */
const LIMIT_MAX = 2_147_483_647;
/** A read fails after the collection has moved this often during it. */
const ATTEMPTS_MAX = 3;

/** Where a collection's documents are, for its readers. */
export interface Place {
  /** The place, once everything that the reader may see is there. */
  find(): Promise<Whereabouts>;
  /** In the process that writes: the place at once; single documents come from what it has written. */
  readonly findForKeys?: () => Promise<Whereabouts>;
  readonly recent?: RecentDocuments;
  /** Resolves when the documents of the entries up to a number are written. */
  readonly reached?: (number: number) => Promise<void>;
}

type Projection = Readonly<Record<string, 1>>;

const CONTENT: Projection = { d: 1, b: 1, gone: 1 };

export class MongoCollection<Doc extends object> extends Collection<Doc> {
  constructor(
    readonly schema: CollectionSchema,
    private readonly server: MongoServer,
    private readonly place: Place,
  ) {
    super();
  }

  override async get(key: Key): Promise<Doc | undefined> {
    if (this.place.recent !== undefined) return (await this.getMany([key])).get(key);
    const found = await this.#search({ _id: checkedKey(this.schema, key) }, CONTENT, { limit: 1 });
    return decoded<Doc>(found)[0]?.doc;
  }

  override async getMany(keys: readonly Key[]): Promise<Map<Key, Doc>> {
    const found = new Map<Key, Doc>();
    for (let at = 0; at < keys.length; at += KEYS_PER_QUERY) {
      const wanted = keys.slice(at, at + KEYS_PER_QUERY).map((key) => checkedKey(this.schema, key));
      const { recent } = this.place;
      const since = recent?.dropped ?? 0;
      const asked = recent === undefined ? wanted : await this.#recalled(recent, wanted, found);
      if (asked.length === 0) continue;
      const documents = await this.#byKeys(asked, recent, since);
      for (const { key, doc } of decoded<Doc>(documents)) found.set(key, doc);
    }
    return found;
  }

  /** Takes the documents that this process knows. @returns the keys to ask the server for */
  async #recalled(recent: RecentDocuments, wanted: readonly Key[], found: Map<Key, Doc>): Promise<readonly Key[]> {
    const { physical } = (await this.place.findForKeys?.()) ?? {};
    if (physical === undefined) return [];
    const asked: Key[] = [];
    let after = 0;
    for (const key of wanted) {
      const recalled = recent.recall(physical, key);
      if (recalled.kind === 'there') found.set(key, decodeDocument(structuredClone(recalled.content)) as Doc);
      else if (recalled.kind === 'ask') {
        asked.push(key);
        after = Math.max(after, recalled.after);
      }
    }
    if (after > 0) await this.place.reached?.(after);
    return asked;
  }

  #byKeys(
    keys: readonly Key[],
    recent: RecentDocuments | undefined,
    since: number,
  ): Promise<readonly StoredDocument[]> {
    const query: Query = { _id: { $in: keys } };
    if (recent === undefined) return this.#search(query, CONTENT, {});
    return this.#read(
      [],
      async (physical) => {
        const documents = await this.#all(physical, query, { ...CONTENT, p: 1 }, {});
        recent.loaded(physical, structuredClone(documents), since);
        return documents;
      },
      this.place.findForKeys,
    );
  }

  override async find(find: Find): Promise<readonly Stored<Doc>[]> {
    return decoded<Doc>(await this.#found(find, CONTENT));
  }

  override async findFields(find: Find, fields: readonly string[]): Promise<readonly FieldsRow[]> {
    const names = checkedIntegers(this.schema, fields).map((field) => [field, encodeName(field)] as const);
    const wanted = Object.fromEntries(names.map(([, name]) => [`d.${name}`, 1 as const]));
    const projection: Projection = { _id: 1, gone: 1, ...wanted };
    const found = await this.#found(find, projection);
    return found.map(({ _id: key, d = {} }): FieldsRow => {
      const values = names.map(([field, name]) => [field, (d[name] as number | undefined) ?? null] as const);
      return { key, fields: Object.fromEntries(values) };
    });
  }

  override async count(filter: Filter | undefined, atMost: number): Promise<number> {
    const limit = Math.min(checkedCount(atMost, 'bound of a count'), LIMIT_MAX);
    const query = this.#present(filter === undefined ? true : compileFilter(this.schema, filter));
    // For the server, a limit of 0 means no limit.
    if (query === false || limit === 0) return 0;
    return this.#read(0, (physical) =>
      this.server.collection<StoredDocument>(physical).count(query === true ? {} : query, limit),
    );
  }

  /** Excludes tombstones of removed documents. */
  #present(query: Query): Query {
    if (query === false) return query;
    const present = { gone: { $exists: false } };
    return query === true ? present : { $and: [present, query] };
  }

  async #found(find: Find, projection: Projection): Promise<StoredDocument[]> {
    const limit = Math.min(checkedCount(find.limit, 'limit'), LIMIT_MAX);
    const query = find.where === undefined ? true : compileFilter(this.schema, find.where);
    const sort = compileSort(this.schema, find.sort);
    return limit === 0 ? [] : this.#search(this.#present(query), projection, { limit, sort });
  }

  /** Finds stored documents, without tombstones. */
  #search(
    query: Query,
    projection: Projection,
    options: { readonly limit?: number; readonly sort?: Record<string, 1 | -1> },
  ): Promise<StoredDocument[]> {
    if (query === false) return Promise.resolve([]);
    return this.#read([], (physical) => this.#all(physical, query, projection, options));
  }

  async #all(
    physical: string,
    query: Exclude<Query, false>,
    projection: Projection,
    options: FindOptions,
  ): Promise<StoredDocument[]> {
    const documents = await this.server
      .collection<StoredDocument>(physical)
      .findAll(query === true ? {} : query, { ...options, projection, batchSize: BATCH_DOCUMENTS });
    return documents.filter(({ gone }) => gone === undefined);
  }

  /**
   * Looks up the collection and reads it; repeats the look-up when the answer is so old that the collection may have
   * been dropped meanwhile. No reader sees a dropped collection as empty.
   */
  async #read<Result>(
    nothing: Result,
    ask: (physical: string) => Promise<Result>,
    find = (): Promise<Whereabouts> => this.place.find(),
  ): Promise<Result> {
    return this.server.run(async () => {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        const { physical, askedAtMs } = await find();
        if (physical === undefined) return nothing;
        const result = await ask(physical);
        if (performance.now() - askedAtMs < READER_GRACE_MS) return result;
      }
      throw new ReadStoreUnavailable(`Reading ${this.schema.name} takes too long.`);
    });
  }
}

function decoded<Doc extends object>(documents: readonly StoredDocument[]): Stored<Doc>[] {
  return documents.map((document) => ({ key: document._id, doc: decodeDocument(document) as Doc }));
}
