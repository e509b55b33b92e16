import { createHash } from 'node:crypto';
import type { CollectionSchema, SavedCheckpoint, Standing } from '../../read-store.js';
import { canonicalSchema, checkedName } from '../../schema.js';
import type { BoundedCollection } from '../bounded-collection.js';
import { decodeName } from '../document-codec.js';
import type { MongoServer } from '../server/mongo-server.js';

/** Version of the document layout. Another value makes every collection be rebuilt from the log. */
const LAYOUT = 1;

export const STATE_COLLECTION = 'state';
export const STATE_ID = 'state';

/**
 * How long a collection is kept after it was replaced or abandoned, for readers in other processes that are using it.
 */
export const RETIREMENT_MS = 60_000;
/** A reader uses a collection only for this long after it looked it up: well before it may be dropped. */
export const READER_GRACE_MS = 30_000;

/**
 * Everything that changes together, in one document, so that one write is atomic on every server: the writer, the
 * position of the store, and the places of the collections.
 */
export interface StoreState {
  readonly _id: typeof STATE_ID;
  /** The highest term that has written. */
  readonly term: number;
  /** The writer: one opening of the store. */
  readonly writer: string;
  /** Number of the last commit whose documents are written, in `state`; of the commit itself, in an entry of the journal. */
  readonly number: number;
  /** Tells releases that can commit by transactions that this store uses the journal. */
  readonly journaled: boolean;
  /** Entries of the journal have texts as keys, and several may be decided before one is applied. */
  readonly keyed?: boolean;
  /** Grows whenever a collection moves. */
  readonly revision: number;
  readonly passed: number;
  readonly checkpoints: Readonly<Record<string, SavedCheckpoint>>;
  /** By name, including shadows. */
  readonly collections: Readonly<Record<string, Located>>;
  /** Collections on the server that must not be used any more. */
  readonly retired: readonly string[];
}

export interface Located {
  readonly physical: string;
  readonly schema: string;
  /** Of releases that could commit by transactions; not kept up any more. */
  readonly top: number;
  /** Of a former build: when it was replaced, in ms since the epoch. */
  readonly sinceMs?: number;
}

export const EMPTY_STATE: StoreState = {
  _id: STATE_ID,
  term: 0,
  writer: '',
  number: 0,
  journaled: true,
  keyed: true,
  revision: 0,
  passed: 0,
  checkpoints: {},
  collections: {},
  retired: [],
};

export function standingOf({ writer, revision, number, checkpoints }: StoreState): Standing {
  const positions = Object.entries(checkpoints).map(([name, { position }]) => [decodeName(name), position] as const);
  return { making: `${writer}.${revision}`, commits: number, positions: new Map(positions) };
}

/** Bytes that the collections take on the server, with their indexes, by name. */
export async function sizesOf({ collections }: StoreState, server: MongoServer): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const [name, { physical }] of Object.entries(collections))
    sizes.set(decodeName(name), (await server.run(() => server.statsOf(physical))).bytes);
  return sizes;
}

export function stateCollection(server: MongoServer): BoundedCollection<StoreState> {
  return server.quickCollection<StoreState>(STATE_COLLECTION);
}

/** The parts of a collection's schema that determine documents and indexes. */
export function fingerprintOf(schema: CollectionSchema): string {
  checkedName(schema.name, 'collection');
  const text = JSON.stringify({ layout: LAYOUT, schema: canonicalSchema(schema) });
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** A name on the server that is unique to this writer. */
export function physicalName(name: string, term: number, revision: number): string {
  return `${name}@${term}.${revision}`;
}

export function isPhysicalName(name: string): boolean {
  return /@\d+\.\d+$/.test(name);
}
