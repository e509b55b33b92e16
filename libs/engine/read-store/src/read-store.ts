import type { Checkpoint } from '#event-store';
import type { JsonObject } from '#kernel';

export type Key = number | string;
export type FieldValue = string | number | boolean | null;

/**
 * Declaration of a collection's documents, by which every adapter indexes them alike. Only top-level fields can be
 * indexed. `many` fields are lists of scalars, found with `contains`.
 */
export interface CollectionSchema {
  readonly name: string;
  /** The type of the documents' keys. Integer keys sort as numbers. */
  readonly key: 'integer' | 'text';
  /**
   * Scalar fields that indexes and filters use; a document may lack any of them (it then counts as null, and stays
   * missing), and a boolean counts as 0 or 1. A value of another type than declared is an error.
   */
  readonly fields: Readonly<Record<string, 'integer' | 'text'>>;
  /** Lists of fields that are searched together; the key is always the last part of an index, so results can come in key order. */
  readonly indexes: readonly (readonly string[])[];
  /** List fields searched with `contains`. */
  readonly many?: Readonly<Record<string, 'integer' | 'text'>>;
  /**
   * A full-text list field that is not part of the documents but derived from them: it is found with `contains` and
   * never returned. Only for collections with integer keys.
   */
  readonly words?: WordField;
}

export interface WordField {
  readonly field: string;
  /** Must be increased when `of` changes for any document: the collection is then rebuilt. */
  readonly version: number;
  /** The only fields that the words depend on: a write that changes none of them leaves the index alone. */
  readonly from: readonly string[];
  /** The words of a document, in any order. Pure. */
  of(doc: Readonly<Record<string, unknown>>): Iterable<string>;
}

/**
 * `$key` stands for the document's key; other names are declared fields, or top-level scalars of the document without
 * an index. A missing field equals null and lies in no range; text is compared by code point. `not` matches exactly the
 * documents that the filter does not. Bounds of a range are never null.
 */
export type Filter =
  | { readonly op: 'eq'; readonly field: string; readonly value: FieldValue }
  | { readonly op: 'in'; readonly field: string; readonly values: readonly FieldValue[] }
  | {
      readonly op: 'range';
      readonly field: string;
      readonly gt?: FieldValue;
      readonly gte?: FieldValue;
      readonly lt?: FieldValue;
      readonly lte?: FieldValue;
    }
  | { readonly op: 'contains'; readonly field: string; readonly value: FieldValue }
  | { readonly op: 'and'; readonly terms: readonly Filter[] }
  | { readonly op: 'or'; readonly terms: readonly Filter[] }
  | { readonly op: 'not'; readonly term: Filter };

/** Builders for filters. */
export const where = {
  eq: (field: string, value: FieldValue): Filter => ({ op: 'eq', field, value }),
  in: (field: string, values: readonly FieldValue[]): Filter => ({ op: 'in', field, values }),
  range: (field: string, bounds: { gt?: FieldValue; gte?: FieldValue; lt?: FieldValue; lte?: FieldValue }): Filter => ({
    op: 'range',
    field,
    ...bounds,
  }),
  contains: (field: string, value: FieldValue): Filter => ({ op: 'contains', field, value }),
  and: (...terms: readonly Filter[]): Filter => ({ op: 'and', terms }),
  or: (...terms: readonly Filter[]): Filter => ({ op: 'or', terms }),
  not: (term: Filter): Filter => ({ op: 'not', term }),
} as const;

export interface Find {
  readonly where?: Filter;
  /**
   * Sorted by key by default; named fields must be declared. Every sort ends with the key, in the direction of the last
   * part.
   */
  readonly sort?: readonly { readonly field: string; readonly direction: 'ascending' | 'descending' }[];
  /** Maximum number of documents. */
  readonly limit: number;
}

export interface Stored<Doc> {
  readonly key: Key;
  readonly doc: Doc;
}

/** A document's key, and the values of the requested fields. */
export interface FieldsRow {
  readonly key: Key;
  /** By field: a boolean as 0 or 1, null when the document lacks it. */
  readonly fields: Readonly<Record<string, number | null>>;
}

/** Read access to a collection of documents. It follows the swap of a rebuild by itself. */
export abstract class Collection<Doc extends object> {
  abstract readonly schema: CollectionSchema;
  abstract get(key: Key): Promise<Doc | undefined>;
  /** The documents that exist among these keys, by key. */
  abstract getMany(keys: readonly Key[]): Promise<Map<Key, Doc>>;
  abstract find(find: Find): Promise<readonly Stored<Doc>[]>;
  /**
   * Finds the same documents as `find`, and reads only their keys and the named fields, which must be declared
   * integers: for lists of IDs, and for the size of documents before they are read.
   */
  abstract findFields(find: Find, fields: readonly string[]): Promise<readonly FieldsRow[]>;
  /** Counts matching documents, up to `atMost`. */
  abstract count(filter: Filter | undefined, atMost: number): Promise<number>;
}

/** New content of one document, or its removal when `doc` is undefined. */
export interface Write {
  readonly collection: string;
  readonly key: Key;
  readonly doc: object | undefined;
  /** The document is new: a promise of the projection, by which a store may save a look-up. */
  readonly fresh?: true;
}

/** Keys from a bound (inclusive; from the first one when absent) up to another (exclusive). */
export interface KeyRange {
  readonly from?: Key;
  readonly below: Key;
}

/**
 * Removes every document whose key is in the range, written at any position, after the commit's writes: for
 * logs that are kept for a while, and for documents that are not written again.
 */
export interface Prune extends KeyRange {
  readonly collection: string;
}

/** Writes that are committed together: documents, and the checkpoints of their projections. */
export interface Commit {
  readonly writes: readonly Write[];
  readonly prunes?: readonly Prune[];
  /** By projection: where to resume, and the log position of it. */
  readonly checkpoints?: Readonly<Record<string, SavedCheckpoint>>;
  /** Position of the last event that caused these writes. A document is never overwritten by an older position. */
  readonly position: number;
  /** Position that every live projection and the feed have passed with this commit; reported by `Progress`. */
  readonly passed?: number;
}

export interface SavedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly position: number;
}

/** Which making of the read models a store holds, and how far it has come. */
export interface Standing {
  /** Changes when another writer takes over, and when a collection is swapped or dropped. */
  readonly making: string;
  /** Commits so far: never fewer in the same making, unless an older state was put back. */
  readonly commits: number;
  /** By projection: position of the last event that its collection has passed; none for one that has passed nothing. */
  readonly positions: ReadonlyMap<string, number>;
}

export interface Opening {
  /** A new collection may lack its indexes until `buildIndexes`: a bulk load costs half as much without them. */
  readonly isLoading?: boolean;
}

export interface Closing {
  /** Another process may be the writer: what is not written yet is left to it. */
  readonly isLost?: boolean;
}

/** A collection that is built beside the live one of the same name. */
export interface Rebuild {
  /** Name for a `Commit`'s writes and checkpoint while building. */
  readonly shadow: string;
}

/** The build of a collection that was replaced, kept beside the live one: it can take its place again. */
export interface FormerBuild {
  /** Name of the collection. */
  readonly name: string;
  /** Name for a `Commit`'s writes and checkpoint, as of a rebuild. */
  readonly shadow: string;
  /** When it was replaced, in ms since the epoch. */
  readonly sinceMs: number;
}

/** A collection of the store that the release does not have: another release kept it. */
export interface LeftOver {
  readonly name: string;
  readonly documents: number;
  /** On the disk, with its indexes. */
  readonly bytes: number;
}

/**
 * The store cannot be reached or cannot write at the moment. All of the commit or nothing was applied: repeating it is
 * safe.
 */
export class ReadStoreUnavailable extends Error {
  /** HTTP status: a later retry may succeed. */
  readonly statusCode = 503;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReadStoreUnavailable';
  }
}

/** Another process writes this store now: this one committed nothing, and will not any more. */
export class WriterReplaced extends Error {
  constructor() {
    super('Another process has taken over the writing of the read models.');
    this.name = 'WriterReplaced';
  }
}

/** An older state of the read models was put back, or they were removed, while this process wrote them. */
export class ReadModelsPutBack extends Error {
  constructor() {
    super('The read models were put back or removed from outside. They are built again from where they are now.');
    this.name = 'ReadModelsPutBack';
  }
}

/** The store's own data cannot be read, or are not what was written. The message says what to do: they can be rebuilt. */
export class ReadStoreDamaged extends Error {
  /** HTTP status: what is damaged is being rebuilt. */
  readonly statusCode = 503;

  constructor(
    message: string,
    options?: ErrorOptions,
    /** The collection in which a document is damaged, when nothing else is known to be. */
    readonly collection?: string,
  ) {
    super(message, options);
    this.name = 'ReadStoreDamaged';
  }
}

/** Read models. They can be discarded: everything in them follows from the log. */
export abstract class ReadStore {
  /**
   * Creates the collection and its indexes when missing. Idempotent. A collection with another schema is dropped
   * together with the checkpoint of its name, so that it is rebuilt from the log.
   */
  abstract collection<Doc extends object>(schema: CollectionSchema, opening?: Opening): Promise<Collection<Doc>>;

  /** Builds the indexes that collections still lack (`Opening`), if any. Yields to the event loop in between. */
  async buildIndexes(): Promise<void> {
    // Nothing where a collection is created with its indexes.
  }

  /**
   * Commits all of it or nothing. The last write to a document counts.
   * @throws ReadStoreUnavailable
   */
  abstract commit(commit: Commit): Promise<void>;

  abstract checkpoint(name: string): Promise<SavedCheckpoint | undefined>;

  /**
   * Where the store stands at a moment after the call. Reads between two equal standings saw those read models, whole.
   * @throws ReadStoreUnavailable; a writer also WriterReplaced and ReadModelsPutBack
   */
  abstract standing(): Promise<Standing>;

  /** Starts an empty collection beside the live one, and drops an unfinished earlier attempt. */
  abstract startRebuild(schema: CollectionSchema): Promise<Rebuild>;

  /** Access to a shadow's documents, for the projection that is building it. */
  abstract shadow<Doc extends object>(rebuild: Rebuild): Collection<Doc>;

  /**
   * Builds the shadow's indexes after the bulk load; they may be missing before. Yields to the event loop in between.
   */
  abstract indexRebuild(rebuild: Rebuild): Promise<void>;

  /** Drops an unfinished rebuild. */
  abstract abandonRebuild(rebuild: Rebuild): Promise<void>;

  /**
   * Makes the shadow the live collection, together with its checkpoint, in one step. The replaced one is dropped, or becomes the former
   * build in place of an earlier one.
   * @param keepSinceMs keeps it as replaced at this time, in ms since the epoch
   */
  abstract finishRebuild(schema: CollectionSchema, rebuild: Rebuild, keepSinceMs?: number): Promise<void>;

  /** The former builds of these collections; those of others are dropped. */
  abstract formers(schemas: readonly CollectionSchema[]): Promise<readonly FormerBuild[]>;

  /**
   * Exchanges the live collection and its former build, together with their checkpoints, in one step.
   * @param sinceMs time of the exchange, in ms since the epoch
   */
  abstract exchangeFormer(schema: CollectionSchema, sinceMs: number): Promise<void>;

  /** Drops the former build of a collection, if there is one. */
  abstract dropFormer(name: string): Promise<void>;

  /**
   * Collections that are none of these, and what was built beside such: another release kept them. Takes as long as `sizes` when there
   * are any.
   * @param names of the collections of this release
   */
  abstract leftOvers(names: ReadonlySet<string>): Promise<readonly LeftOver[]>;

  /**
   * Drops a collection that was not opened here, with its checkpoint. Does nothing when there is none.
   * @param name as `leftOvers` tells it
   */
  abstract dropLeftOver(name: string): Promise<void>;

  /** Product and version of the store, such as `SQLite 3.44.0`. */
  abstract product(): Promise<string>;

  /**
   * Bytes that the collections take on the disk, with their indexes, by name; of former builds and shadows as well. Takes as long as
   * reading all of them where the store does not know it.
   */
  abstract sizes(): Promise<ReadonlyMap<string, number>>;

  abstract close(closing?: Closing): Promise<void>;
}

/**
 * Key-value store for small documents that are not projections: live queue registrations, snapshots. Writes take effect
 * at once; the last write wins.
 */
export abstract class KeyValueStore {
  abstract put(kind: string, id: string, value: JsonObject): Promise<void>;
  abstract get(kind: string, id: string): Promise<JsonObject | undefined>;
  abstract list(kind: string): Promise<readonly { readonly id: string; readonly value: JsonObject }[]>;
  abstract remove(kind: string, id: string): Promise<void>;
  abstract close(): Promise<void>;
}
