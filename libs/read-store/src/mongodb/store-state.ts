import { createHash } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { CollectionSchema, SavedCheckpoint } from '../read-store.js';
import { canonicalSchema, checkedName } from '../schema.js';
import type { MongoServer } from './mongo-server.js';

/** How documents are laid out. Another number has every collection built again from the log. */
const LAYOUT = 1;

export const STATE_COLLECTION = 'state';
export const STATE_ID = 'state';

/** How long a collection stays after it was replaced or given up, for readers in other processes that are at it. */
export const RETIREMENT_MS = 60_000;
/** A reader counts on a collection only for this long after it asked where it is: well before it may be dropped. */
export const READER_GRACE_MS = 30_000;

/**
 * All that changes together, in one document, so that one write of it is atomic on every server: who writes, how far the
 * store has come, and where the collections are.
 */
export interface StoreState {
  readonly _id: typeof STATE_ID;
  /** The highest term that has written. */
  readonly term: number;
  /** Who writes: one opening of the store. */
  readonly writer: string;
  /** Counts the commits. */
  readonly number: number;
  /** Commits go through a journal, which leaves marks of removed documents behind. */
  readonly journaled: boolean;
  /** Grows whenever a collection moves. */
  readonly revision: number;
  readonly passed: number;
  readonly checkpoints: Readonly<Record<string, SavedCheckpoint>>;
  /** By name; shadows among them. */
  readonly collections: Readonly<Record<string, Located>>;
  /** Collections on the server that nobody shall look at any more. */
  readonly retired: readonly string[];
}

export interface Located {
  readonly physical: string;
  readonly schema: string;
  /** The highest position that has been written to it: a commit at or beyond it overwrites nothing newer. */
  readonly top: number;
}

export const EMPTY_STATE: StoreState = {
  _id: STATE_ID,
  term: 0,
  writer: '',
  number: 0,
  journaled: false,
  revision: 0,
  passed: 0,
  checkpoints: {},
  collections: {},
  retired: [],
};

export function stateCollection(server: MongoServer): Collection<StoreState> {
  return server.collection<StoreState>(STATE_COLLECTION);
}

/** A collection's schema, so far as it decides how documents and indexes look. */
export function fingerprintOf(schema: CollectionSchema): string {
  checkedName(schema.name, 'collection');
  const text = JSON.stringify({ layout: LAYOUT, schema: canonicalSchema(schema) });
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** A name on the server that no other writer gives. */
export function physicalName(name: string, term: number, revision: number): string {
  return `${name}@${term}.${revision}`;
}

export function isPhysicalName(name: string): boolean {
  return /@\d+\.\d+$/.test(name);
}

const SHADOW_MARK = '~';

export function shadowName(name: string, revision: number | ''): string {
  return `${name}${SHADOW_MARK}${revision}`;
}

export function isShadow(name: string): boolean {
  return name.includes(SHADOW_MARK);
}
