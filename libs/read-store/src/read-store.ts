import type { Checkpoint } from '#event-store';
import type { JsonObject } from '#kernel';

export type Key = number | string;
export type FieldValue = string | number | boolean | null;

/**
 * What a collection declares of its documents, so that every adapter can index them alike. Only top-level fields can be
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
   * A list field for full-text search that is no part of the documents: it follows from each of them, is found with
   * `contains` like any other, and is never given back. Only for collections with integer keys.
   */
  readonly words?: WordField;
}

export interface WordField {
  readonly field: string;
  /** Grows whenever `of` says something else of some document: the collection is then built again. */
  readonly version: number;
  /** The words of a document, in any order. Pure. */
  of(doc: Readonly<Record<string, unknown>>): Iterable<string>;
}

/**
 * The name `$key` means the document's key; other names are declared fields, or top-level scalars of the document that no
 * index helps to find. A missing field is equal to null, lies in no range, and text is compared by code point. `not` is the
 * plain opposite: what does not match. Bounds of a range are never null.
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

/** Builders for filters, so that queries read as sentences. */
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
  /** By key unless fields are named, which must be declared; every sort ends with the key in the direction of the last part. */
  readonly sort?: readonly { readonly field: string; readonly direction: 'ascending' | 'descending' }[];
  /** At most this many documents. */
  readonly limit: number;
}

export interface Stored<Doc> {
  readonly key: Key;
  readonly doc: Doc;
}

/** A collection of documents as readers see it. It follows a rebuild's swap by itself. */
export abstract class Collection<Doc extends object> {
  abstract readonly schema: CollectionSchema;
  abstract get(key: Key): Promise<Doc | undefined>;
  /** The documents that exist among these keys, by key. */
  abstract getMany(keys: readonly Key[]): Promise<Map<Key, Doc>>;
  abstract find(find: Find): Promise<readonly Stored<Doc>[]>;
  /** How many documents match, counted up to `atMost`. */
  abstract count(filter: Filter | undefined, atMost: number): Promise<number>;
}

/** One document's new content, or its removal when `doc` is undefined. */
export interface Write {
  readonly collection: string;
  readonly key: Key;
  readonly doc: object | undefined;
  /** The document is new: a promise of the projection, which a store may use to save itself a look. */
  readonly fresh?: true;
}

/** Removes every document whose key lies below the bound; for logs that are kept for a while. */
export interface Prune {
  readonly collection: string;
  readonly below: Key;
}

/** What moves together: documents, and the checkpoints of the projections that they belong to. */
export interface Commit {
  readonly writes: readonly Write[];
  readonly prunes?: readonly Prune[];
  /** By projection: where to resume, and the log position it stands for. */
  readonly checkpoints?: Readonly<Record<string, SavedCheckpoint>>;
  /** Position of the last event that led to these writes. A document is never overwritten by an older position. */
  readonly position: number;
  /** Every live projection and the feed have passed this position with this commit: what `Progress` tells. */
  readonly passed?: number;
}

export interface SavedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly position: number;
}

/** A collection being built beside the live one of the same name. */
export interface Rebuild {
  /** The name to use in a `Commit`'s writes, and as the checkpoint's name, while building. */
  readonly shadow: string;
}

/** The store cannot be reached or cannot write just now. Nothing was committed, or all of it: repeating the commit is safe. */
export class ReadStoreUnavailable extends Error {
  /** What the edge answers: whoever asks again later may get what he wants. */
  readonly statusCode = 503;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReadStoreUnavailable';
  }
}

/** Another process writes this store now: nothing was committed, nor will be by this one. */
export class WriterReplaced extends Error {
  constructor() {
    super('Another process has taken over the writing of the read models.');
    this.name = 'WriterReplaced';
  }
}

/** The store's own files cannot be read. The message says what to do: what was in them can be built again. */
export class ReadStoreDamaged extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReadStoreDamaged';
  }
}

/** Read models. They can be thrown away: whatever is in here follows from the log, except live queue registrations. */
export abstract class ReadStore {
  /**
   * Creates the collection and its indexes where they are missing. Idempotent. A collection whose schema is not the one it
   * was created with is dropped, and the checkpoint of its name with it, so that it is built again from the log.
   */
  abstract collection<Doc extends object>(schema: CollectionSchema): Promise<Collection<Doc>>;

  /** All of it or nothing. The last write to a document counts. @throws ReadStoreUnavailable */
  abstract commit(commit: Commit): Promise<void>;

  abstract checkpoint(name: string): Promise<SavedCheckpoint | undefined>;

  /** Starts a fresh, empty collection beside the live one, dropping an unfinished earlier attempt. */
  abstract startRebuild(schema: CollectionSchema): Promise<Rebuild>;

  /** Loads documents of a shadow, for the projection that is building it. */
  abstract shadow<Doc extends object>(rebuild: Rebuild): Collection<Doc>;

  /**
   * Builds the shadow's indexes, once the bulk of it is loaded: they may be missing before. Leaves the event loop room to
   * serve in between.
   */
  abstract indexRebuild(rebuild: Rebuild): Promise<void>;

  /** Makes the shadow the live collection, its checkpoint with it, in one step, and drops the old one. */
  abstract finishRebuild(schema: CollectionSchema, rebuild: Rebuild): Promise<void>;

  abstract close(): Promise<void>;
}

/** Small documents that are not projections: live queue registrations, snapshots. Written at once, last write wins. */
export abstract class SideStore {
  abstract put(kind: string, id: string, value: JsonObject): Promise<void>;
  abstract get(kind: string, id: string): Promise<JsonObject | undefined>;
  abstract list(kind: string): Promise<readonly { readonly id: string; readonly value: JsonObject }[]>;
  abstract remove(kind: string, id: string): Promise<void>;
  abstract close(): Promise<void>;
}
