import type { CollectionSchema, Commit, Key, KeyRange, SavedCheckpoint } from '../../read-store.js';
import { checkedKey } from '../../schema.js';
import { encodeDocument, encodeName } from '../document-codec.js';
import type { Content, StoredDocument } from '../document-codec.js';
import type { Located, StoreState } from './store-state.js';

/** Write to one document: its new content, or its removal. */
export interface Operation extends Content {
  readonly k: Key;
  /** Promise of the projection that the document is new. */
  readonly f?: true;
  /** Time of the removal, in ms since 1970. */
  readonly gone?: number;
}

/** Operations on one collection of the server, at most one per document. */
export interface Operations {
  readonly physical: string;
  readonly operations: readonly Operation[];
}

export interface PlannedPrune extends KeyRange {
  readonly physical: string;
}

/** Filter for the keys that a prune removes. */
export function prunedKeys({ from, below }: KeyRange): { readonly _id: { readonly $gte?: Key; readonly $lt: Key } } {
  return { _id: from === undefined ? { $lt: below } : { $gte: from, $lt: below } };
}

/** A commit in the form for the server. */
export interface CommitPlan {
  readonly position: number;
  readonly groups: readonly Operations[];
  readonly prunes: readonly PlannedPrune[];
  /** The state after the commit. */
  readonly next: StoreState;
}

/**
 * Checks and encodes a commit. `schemas` are the opened collections, by name.
 * @throws TypeError when a document does not fit its schema
 */
export function planCommit(
  state: StoreState,
  schemas: ReadonlyMap<string, CollectionSchema>,
  commit: Commit,
  nowMs: number,
): CommitPlan {
  const { position, writes, prunes = [], checkpoints = {}, passed = state.passed } = commit;
  if (!Number.isSafeInteger(position)) throw new RangeError('A commit has a position.');
  const byCollection = new Map<string, Map<Key, Operation>>();
  for (const { collection, key, doc, fresh } of writes) {
    const { schema } = target(state, schemas, collection);
    const checked = checkedKey(schema, key);
    let operations = byCollection.get(collection);
    if (operations === undefined) byCollection.set(collection, (operations = new Map<Key, Operation>()));
    const isFresh = (fresh ?? operations.get(checked)?.f) === true;
    const content = doc === undefined ? { gone: nowMs } : encodeDocument(schema, doc);
    operations.set(checked, { k: checked, ...(isFresh && { f: true }), ...content });
  }
  const groups: Operations[] = [];
  for (const [name, operations] of byCollection) {
    const { located } = target(state, schemas, name);
    groups.push({ physical: located.physical, operations: [...operations.values()] });
  }
  return {
    position,
    groups,
    prunes: prunes.map(({ collection, from, below }) => {
      const { schema, located } = target(state, schemas, collection);
      const range = { ...(from !== undefined && { from: checkedKey(schema, from) }), below: checkedKey(schema, below) };
      return { physical: located.physical, ...range };
    }),
    next: { ...state, passed, checkpoints: { ...state.checkpoints, ...encoded(checkpoints) } },
  };
}

export function storedDocument({ k, d, b, w, gone }: Operation, position: number): StoredDocument {
  return {
    _id: k,
    p: position,
    ...(d !== undefined && { d }),
    ...(b !== undefined && { b }),
    ...(w !== undefined && { w }),
    ...(gone !== undefined && { gone }),
  };
}

function target(
  state: StoreState,
  schemas: ReadonlyMap<string, CollectionSchema>,
  name: string,
): { readonly schema: CollectionSchema; readonly located: Located } {
  const schema = schemas.get(name);
  const located = state.collections[encodeName(name)];
  if (schema === undefined || located === undefined) throw new Error(`There is no collection ${name}.`);
  return { schema, located };
}

function encoded(checkpoints: Readonly<Record<string, SavedCheckpoint>>): Record<string, SavedCheckpoint> {
  return Object.fromEntries(
    Object.entries(checkpoints).map(([name, { checkpoint, position }]) => [encodeName(name), { checkpoint, position }]),
  );
}
